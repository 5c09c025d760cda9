/**
 * What a failure is, made where its output is read and carried as data: whoever decides, asks a model or
 * tells a person reads this and no output.
 */
export interface Diagnosis {
  readonly kind: 'test' | 'build' | 'lint' | 'set-up' | 'killed'
  /** In a line. */
  readonly message: string
  readonly file: string | null
  readonly line: number | null
  /** The program or the package that lacks; `null` where none does, or nobody says which. */
  readonly lacks: string | null
  /** Of a package: the language that imports it. */
  readonly language?: string | undefined
  /** The command that brings what lacks. */
  readonly install: string | null
}

/** What makes two failures one and the same, whatever else their output says. */
export const sameDiagnosis = (one: Diagnosis, other: Diagnosis): boolean =>
  one.kind === other.kind &&
  (one.lacks === null ? one.message === other.message : one.lacks === other.lacks)
