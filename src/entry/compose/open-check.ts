import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProcessSandbox } from '../../adapters/process-sandbox.ts'
import { createSystemClock } from '../../adapters/system-clock.ts'
import { createSystemRandom } from '../../adapters/system-random.ts'
import type { UsersRepository } from '../../adapters/user-checkout.ts'
import { createWasmSyntaxChecker } from '../../adapters/wasm-syntax-checker.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { cacheDirectory } from '../own-directory.ts'
import { openWorkspace } from './local-workspace.ts'

/** The ports of a check: no model, no forge, no state; its clone and folders are temporary. */
export async function openCheck(
  repository: UsersRepository,
  settings: Settings,
  redact: (text: string) => string,
) {
  const home = await mkdtemp(join(tmpdir(), 'executor-check-'))
  const clock = createSystemClock()
  const syntax = createWasmSyntaxChecker()
  const close = async () => {
    await syntax.close()
    // Abandoned tests may still write.
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
  const sandbox = createProcessSandbox({
    mode: settings.sandbox.mode,
    memoryMegabytes: settings.verify.memoryMegabytes,
    cacheDirectory: join(cacheDirectory(), 'dependencies'),
    checkout: repository.workTree,
    redact,
  })
  try {
    const workspace = await openWorkspace(repository.root, settings, clock, { home, repository })
    const random = createSystemRandom()
    return { ports: { workspace, sandbox, syntax, clock, random, settings }, home, close }
  } catch (error) {
    await close()
    throw error
  }
}
