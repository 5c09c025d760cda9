import type { DestructiveCategory } from './operation.ts'

/** An effect that cannot be undone. */
export interface Harm {
  readonly category: DestructiveCategory
  readonly why: string
}

export function unique(harms: readonly Harm[]): readonly Harm[] {
  return [...new Map(harms.map((harm) => [`${harm.category} ${harm.why}`, harm])).values()]
}

/** Drops the places, which are those of the inner text and not of the call. */
export const harmsOf = (found: readonly Harm[]): readonly Harm[] =>
  found.map(({ category, why }) => ({ category, why }))

/** A harm and its place: offsets into the text, the end exclusive. */
export interface Finding extends Harm {
  readonly start: number
  readonly end: number
  /** What finally runs, with variables filled in: two calls that look alike may differ here. */
  readonly meaning: string
  /** What people see, when the text between the offsets says too little or too much. */
  readonly shown?: string
}

export { UNKNOWN } from '../../source/source.ts'
/** Like `UNKNOWN`, for text that is known to be downloaded. */
export const DOWNLOADED = '\uFFFB'
/** The same, for the name of a temporary file that the program created. */
export const TEMPORARY = '\uFFFA'

const unknownPart = /[\uFFFA-\uFFFC]/

export const isKnown = (text: string): boolean => !unknownPart.test(text)

/** Places findings of an inner text at the outer call, which people see. */
export const within = (
  findings: readonly Finding[],
  outer: { readonly start: number; readonly end: number },
): readonly Finding[] =>
  findings.map((finding) => ({ ...finding, start: outer.start, end: outer.end }))

/** Shifts findings of a text that another one contains verbatim at an offset. */
export const shifted = (findings: readonly Finding[], offset: number): readonly Finding[] =>
  findings.map((finding) => ({
    ...finding,
    start: finding.start + offset,
    end: finding.end + offset,
  }))

export type ScriptLanguage = 'shell' | 'sql' | 'javascript' | 'python' | 'ruby' | 'perl' | 'php'

/** Reads a text inside a text: a command in a string, a script after `-c`. */
export type FindNested = (language: ScriptLanguage, text: string) => readonly Finding[]
