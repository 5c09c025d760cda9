import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../../adapters/abandoned.ts'
import { createProcessSandbox } from '../../adapters/process-sandbox.ts'
import { createSystemClock } from '../../adapters/system-clock.ts'
import { createSystemRandom } from '../../adapters/system-random.ts'
import type { UsersRepository } from '../../adapters/user-checkout.ts'
import { createWasmSyntaxChecker } from '../../adapters/wasm-syntax-checker.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { cacheDirectory } from '../own-directory.ts'
import { openWorkspace } from './local-workspace.ts'

interface CheckPlace {
  /** The folder whose installed dependencies may be used; `null` for none. */
  readonly checkout: string | null
  /** A private directory, for dependencies that the check installs. */
  readonly cache: string
  redact(text: string): string
}

/** The ports of a check except its workspace; close `syntax` at the end. */
export const openCheckMachine = (settings: Settings, { checkout, cache, redact }: CheckPlace) => ({
  sandbox: createProcessSandbox({
    mode: settings.sandbox.mode,
    memoryMegabytes: settings.verify.memoryMegabytes,
    cacheDirectory: join(cache, 'dependencies'),
    checkout,
    redact,
  }),
  syntax: createWasmSyntaxChecker(),
  clock: createSystemClock(),
  random: createSystemRandom(),
  settings,
})

/** The ports of a check of this repository: no model, no forge, no state; its clone and folders are temporary. */
export async function openCheck(
  repository: UsersRepository,
  settings: Settings,
  redact: (text: string) => string,
) {
  const home = await makeTemporaryFolder('check')
  const checkout = repository.workTree
  const machine = openCheckMachine(settings, { checkout, cache: cacheDirectory(), redact })
  const close = async () => {
    await machine.syntax.close()
    // Abandoned tests may still write.
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
  try {
    const { root } = repository
    const workspace = await openWorkspace(root, settings, machine.clock, { home, repository })
    return { ports: { ...machine, workspace }, home, close }
  } catch (error) {
    await close()
    throw error
  }
}
