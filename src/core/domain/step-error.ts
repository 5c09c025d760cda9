import { z } from 'zod'
import { nodeSchema } from './steps.ts'
import { maybeText, object, type Stored, text } from './stored.ts'

/** What kind of thing went wrong in one step: a command, a call, an answer, a file. */
export const errorTypeSchema = z.enum([
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
])

export type ErrorType = z.infer<typeof errorTypeSchema>

/** What can be done about a failed step. `give_up` says why, and leaves it to a person. */
export const remedySchema = z.enum([
  'ask_again',
  'create_directory',
  'smaller_scope',
  'back_off',
  'correct_command',
  'roll_back',
  'give_up',
])

export type Remedy = z.infer<typeof remedySchema>

/** What a failed step is: its kind, how bad it is, and what to try first. */
export const stepErrorSchema = object({
  type: errorTypeSchema,
  /** `warning`: it passes by itself. `error`: the step failed. `fatal`: nothing this run can do mends it. */
  severity: z.enum(['warning', 'error', 'fatal']),
  recoverable: z.boolean(),
  strategy: remedySchema,
})

/** A kind of error, and the line that tells it; empty when nothing was said. */
export const classifiedErrorSchema = stepErrorSchema.extend({
  line: text,
  /** True where the command line itself is wrong: a program, a script or a folder that nobody has. */
  isWrongCommand: z.boolean(),
  /** The program that was not found, where it is that. */
  program: maybeText,
})

export type ClassifiedError = Stored<typeof classifiedErrorSchema>

/** One thing that was tried against an error in an attempt. */
export const triedRemedySchema = object({
  node: nodeSchema,
  type: errorTypeSchema,
  strategy: remedySchema,
  signature: text,
  /** What went wrong, in a line. */
  message: text,
  /** The command line that failed; empty when it was none. */
  subject: text,
  /** The command that ran instead, or what was done, in a line. */
  fix: text,
  /** The lines that a repair changed; for the next one, where this was of no use. */
  tried: text.optional(),
  /** `null` as long as nobody knows. */
  worked: z.boolean().nullable(),
})

export type TriedRemedy = Stored<typeof triedRemedySchema>
