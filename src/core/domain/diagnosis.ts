import { z } from 'zod'
import { classifiedErrorSchema } from './step-error.ts'
import { maybeCount, maybeText, object, type Stored, text } from './stored.ts'

/**
 * What a failure is, made where its output is read and carried as data: whoever decides, asks a model or
 * tells a person reads this and no output.
 */
export const diagnosisSchema = object({
  kind: z.enum(['test', 'build', 'lint', 'set-up', 'killed']),
  /** In a line. */
  message: text,
  file: maybeText,
  line: maybeCount,
  /** The program or the package that lacks; `null` where none does, or nobody says which. */
  lacks: maybeText,
  /** Of a package: the language that imports it. */
  language: text.optional(),
  /** The command that brings what lacks. */
  install: maybeText,
})

export type Diagnosis = Stored<typeof diagnosisSchema>

/** What the words of a command say of why it ended badly. */
export const commandFaultSchema = object({
  /** The program that it could not start. */
  program: maybeText,
  /** What its machine lacks. */
  lack: diagnosisSchema.nullable(),
  error: classifiedErrorSchema.nullable(),
})

export type CommandFault = Stored<typeof commandFaultSchema>

/** What makes two failures one and the same, whatever else their output says. */
export const sameDiagnosis = (one: Diagnosis, other: Diagnosis): boolean =>
  one.kind === other.kind &&
  (one.lacks === null ? one.message === other.message : one.lacks === other.lacks)
