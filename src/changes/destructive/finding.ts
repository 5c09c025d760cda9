import type { DestructiveCategory } from '../../core/domain/destructive.ts'

/** What something does that cannot be undone. */
export interface Harm {
  readonly category: DestructiveCategory
  /** One plain sentence. */
  readonly why: string
}

export function unique(harms: readonly Harm[]): readonly Harm[] {
  return [...new Map(harms.map((harm) => [`${harm.category} ${harm.why}`, harm])).values()]
}

/** Without places: those of the text inside are not the call's. */
export const harmsOf = (found: readonly Harm[]): readonly Harm[] =>
  found.map(({ category, why }) => ({ category, why }))

/** A harm and where it stands: offsets into the text, the end exclusive. */
export interface Finding extends Harm {
  readonly start: number
  readonly end: number
  /** What runs in the end, with variables filled in: two calls that look alike may differ here. */
  readonly meaning: string
  /** What people are shown, where the text between the offsets says too little, or too much. */
  readonly shown?: string
}

export { UNKNOWN } from '../../text/syntax/value.ts'
/** Like `UNKNOWN`, where it is known to be what was downloaded. */
export const DOWNLOADED = '\uFFFB'
/** The same, where it is the name of a temporary file that the program made itself. */
export const TEMPORARY = '\uFFFA'

const unknownPart = /[\uFFFA-\uFFFC]/

export const isKnown = (text: string): boolean => !unknownPart.test(text)

/** Findings of a text that stands inside another one, whose call is what people are shown. */
export function within(
  findings: readonly Finding[],
  outer: { readonly start: number; readonly end: number },
): readonly Finding[] {
  return findings.map((finding) => ({ ...finding, start: outer.start, end: outer.end }))
}

/** Findings of a text that stands word for word at an offset of another one. */
export function shifted(findings: readonly Finding[], offset: number): readonly Finding[] {
  return findings.map((finding) => ({
    ...finding,
    start: finding.start + offset,
    end: finding.end + offset,
  }))
}

export type ScriptLanguage = 'shell' | 'sql' | 'javascript' | 'python' | 'ruby' | 'perl' | 'php'

/** Looks into a text inside a text: a command in a string, a script behind `-c`. */
export type FindNested = (language: ScriptLanguage, text: string) => readonly Finding[]
