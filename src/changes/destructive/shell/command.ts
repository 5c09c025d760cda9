/** A piece of a word. `quoted` pieces are not split into several arguments. */
export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | {
      readonly kind: 'variable'
      readonly name: string
      /** `${name[@]}`: every element, each an argument of its own. */
      readonly all: boolean
      readonly quoted: boolean
    }
  /** What `$(…)`, backticks, `<(…)` or `>(…)` run. */
  | { readonly kind: 'commands'; readonly commands: readonly ShellCommand[] }
  /** `$((…))`, `${name%…}` and the like. */
  | { readonly kind: 'unknown' }

export interface Word {
  readonly start: number
  readonly end: number
  readonly parts: readonly WordPart[]
}

export interface Redirect {
  readonly operator: string
  readonly target: Word
  /** Of a here-document: where its text stands, and what it runs while it is read. */
  body: {
    readonly start: number
    readonly end: number
    readonly commands: readonly WordPart[]
  } | null
}

/** `name=word`, or `name=(words)`. */
export interface Assignment {
  readonly name: string
  readonly values: readonly Word[]
  readonly isList: boolean
}

/** A simple command. Offsets are into the whole text, the end exclusive. */
export interface ShellCommand {
  readonly start: number
  readonly end: number
  readonly words: readonly Word[]
  readonly assignments: readonly Assignment[]
  readonly redirects: readonly Redirect[]
  /** What writes this command's input in a pipeline. */
  readonly pipedFrom: ShellCommand | null
  /** The name of the function whose body begins before this command, for a function that calls itself. */
  readonly definition: string | null
}

/** The text of a word that holds nothing but text; `null` for any other. */
export function literal(word: Word | undefined): string | null {
  if (word === undefined) return null
  let text = ''
  for (const part of word.parts) {
    if (part.kind !== 'text') return null
    text += part.text
  }
  return text
}

/** A word without any quote: only such a one can be a keyword. */
export function bareText(word: Word): string | null {
  const [part, ...others] = word.parts
  return part?.kind === 'text' && !part.quoted && others.length === 0 ? part.text : null
}
