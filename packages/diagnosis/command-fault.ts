import { z } from 'zod'
import { maybeCount, maybeText, object, type Stored, text } from '../text/text.ts'
import { classifiedErrorSchema } from './step-error.ts'

/**
 * The kind and cause of a failure, derived where its output is read and carried as data: code that decides, asks a
 * model or informs a person reads this and no output.
 */
export const diagnosisSchema = object({
  kind: z.enum(['test', 'build', 'lint', 'set-up', 'killed']),
  /** One line. */
  message: text,
  file: maybeText,
  line: maybeCount,
  /** The missing program or package; `null` when nothing is missing, or it is unknown. */
  lacks: maybeText,
  /** For a package: the language that imports it. */
  language: text.optional(),
  /** The command that installs it. */
  install: maybeText,
})

export type Diagnosis = Stored<typeof diagnosisSchema>

/** Why a command failed, according to its output. */
export const commandFaultSchema = object({
  /** The program that it could not start. */
  program: maybeText,
  /** The program or package that its machine lacks. */
  lack: diagnosisSchema.nullable(),
  error: classifiedErrorSchema.nullable(),
})

export type CommandFault = Stored<typeof commandFaultSchema>

/** True when two failures have the same cause, whatever else their output says. */
export const sameDiagnosis = (one: Diagnosis, other: Diagnosis): boolean =>
  one.kind === other.kind &&
  (one.lacks === null ? one.message === other.message : one.lacks === other.lacks)
