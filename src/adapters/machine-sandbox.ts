import {
  createProcessSandbox,
  type ProcessSandboxOptions,
  type Sandbox,
  SandboxError,
} from '../../packages/sandbox/sandbox.ts'
import { ExecutorError } from '../core/domain/errors.ts'
import { explainDisk, explaining } from './explain-disk.ts'

/**
 * Opens this machine's sandbox; its errors come from the catalogue.
 * @throws ExecutorError from its methods: `sandbox_missing`, `agent_unconfined`, `disk_unwritable`
 */
export const createMachineSandbox = (options: ProcessSandboxOptions): Sandbox =>
  explaining(createProcessSandbox(options), (act) => explainDisk(() => explainLack(act)))

const codes = { isolation: 'sandbox_missing', network: 'agent_unconfined' } as const

async function explainLack<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    if (!(cause instanceof SandboxError)) throw cause
    throw new ExecutorError(codes[cause.lacks], cause.message, { cause })
  }
}
