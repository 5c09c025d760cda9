import type { NodeName } from './steps.ts'

/** What kind of thing went wrong in one step: a command, a call, an answer, a file. */
export const errorTypes = [
  'syntax_error',
  'file_not_found',
  'permission_denied',
  'timeout',
  'rate_limit',
  'model_error',
  'network',
  'git_conflict',
  'missing_dependency',
  'test_failure',
  'validation',
  'unknown',
] as const

export type ErrorType = (typeof errorTypes)[number]

/** `warning`: it passes by itself. `error`: the step failed. `fatal`: nothing this run can do mends it. */
export const severities = ['warning', 'error', 'fatal'] as const

/** What can be done about a failed step. `give_up` says why, and leaves it to a person. */
export const remedies = [
  'ask_again',
  'create_directory',
  'smaller_scope',
  'back_off',
  'correct_command',
  'roll_back',
  'give_up',
] as const

export type Remedy = (typeof remedies)[number]

/** What a failed step is: its kind, how bad it is, and what to try first. */
export interface StepError {
  readonly type: ErrorType
  readonly severity: (typeof severities)[number]
  readonly recoverable: boolean
  readonly strategy: Remedy
}

/** One thing that was tried against an error in an attempt. */
export interface TriedRemedy {
  readonly node: NodeName
  readonly type: ErrorType
  readonly strategy: Remedy
  readonly signature: string
  /** What went wrong, in a line. */
  readonly message: string
  /** The command line that failed; empty when it was none. */
  readonly subject: string
  /** The command that ran instead, or what was done, in a line. */
  readonly fix: string
  /** The lines that a repair changed; for the next one, where this was of no use. */
  readonly tried?: string | undefined
  /** `null` as long as nobody knows. */
  readonly worked: boolean | null
}
