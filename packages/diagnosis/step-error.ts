import { z } from 'zod'
import { maybeText, object, type Stored, text } from '../text/text.ts'

/** The kind of error in one step: a command, a call, an answer, a file. */
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

/** Remedies for a failed step. `give_up` says why, and leaves it to a person. */
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

/** A failed step: its kind, its severity, and the first remedy. */
export const stepErrorSchema = object({
  type: errorTypeSchema,
  /** `warning`: it passes by itself. `error`: the step failed. `fatal`: this run cannot fix it. */
  severity: z.enum(['warning', 'error', 'fatal']),
  recoverable: z.boolean(),
  strategy: remedySchema,
})

/** A kind of error, and the line that shows it; empty without output. */
export const classifiedErrorSchema = stepErrorSchema.extend({
  line: text,
  /** True when the command line itself is wrong: a program, a script or a folder that exists nowhere. */
  isWrongCommand: z.boolean(),
  /** The program that was not found. */
  program: maybeText,
})

export type ClassifiedError = Stored<typeof classifiedErrorSchema>

/** One remedy that was tried against an error. */
export const triedSchema = object({
  type: errorTypeSchema,
  strategy: remedySchema,
  signature: text,
  /** The error, in one line. */
  message: text,
  /** The command line that failed; empty for other errors. */
  subject: text,
  /** The command that ran instead, or the action taken, in one line. */
  fix: text,
  /** Lines that a useless repair changed, to be quoted to the next one. */
  tried: text.optional(),
  /** `null` while unknown. */
  worked: z.boolean().nullable(),
})

export type Tried = Stored<typeof triedSchema>
