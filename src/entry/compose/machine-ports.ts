import { join } from 'node:path'
import { createWasmSyntaxChecker } from '../../../packages/source/source.ts'
import { createMachineSandbox } from '../../adapters/machine-sandbox.ts'
import { createSystemClock } from '../../adapters/system-clock.ts'
import { createSystemRandom } from '../../adapters/system-random.ts'
import type { Settings } from '../../core/domain/settings.ts'

interface MachinePlace {
  /** The folder whose installed dependencies may be used; `null` for none. */
  readonly checkout: string | null
  /** A private directory, for dependencies that are installed for the tests. */
  readonly cache: string
  redact(text: string): string
}

/** The ports to this machine; close `syntax` at the end. */
export const machinePorts = (settings: Settings, { checkout, cache, redact }: MachinePlace) => ({
  sandbox: createMachineSandbox({
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
