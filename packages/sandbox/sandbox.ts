export type {
  Command,
  ReachedRun,
  Sandbox,
  SandboxKind,
  SandboxRequest,
  SandboxRun,
} from './port.ts'
export { createProcessSandbox, type ProcessSandboxOptions } from './process-sandbox.ts'
export { SandboxError } from './sandbox-error.ts'
