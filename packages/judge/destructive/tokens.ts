/** A piece of a text, other than comments and white space. */
export interface TextToken<Kind extends string> {
  readonly kind: Kind
  /** Its content: a string without quotes, a word, a mark. */
  readonly text: string
  readonly start: number
  readonly end: number
  readonly isFirst: boolean
}

export interface TokenRule<Kind extends string> {
  /** `null` skips the text. */
  readonly kind: Kind | null
  /**
   * Sticky, and never empty. A group `inside` holds the contents; a group `word` is that of a
   * here-document, whose lines start on the next line and end at the word alone.
   */
  readonly at: RegExp
  /** Makes the token's text from its contents. */
  readonly toText?: (inside: string) => string
  /** Returns true when such a token can follow the last one. */
  readonly follows?: (last: TextToken<Kind> | undefined, isFirst: boolean, start: number) => boolean
}

const space = /\s+/y

/** Reads tokens by the first matching rule, in linear time. Unclosed ones end with the text. */
export function readTokens<Kind extends string>(
  text: string,
  rules: readonly TokenRule<Kind>[],
): readonly TextToken<Kind>[] {
  const tokens: TextToken<Kind>[] = []
  const hereDocument = hereDocumentsOf(text)
  let isFirst = true
  /** Where code continues after the here-documents of this line. */
  let resume: number | null = null
  for (let at = 0; at < text.length; ) {
    space.lastIndex = at
    const blank = space.exec(text)?.[0]
    if (blank === undefined) at = readOne(at)
    else if (blank.includes('\n')) {
      isFirst = true
      at = resume ?? at + blank.length
      resume = null
    } else at += blank.length
  }
  return tokens

  function readOne(start: number): number {
    for (const { kind, at, toText = itself, follows } of rules) {
      if (follows?.(tokens.at(-1), isFirst, start) === false) continue
      at.lastIndex = start
      const found = at.exec(text)
      if (found === null) continue
      const end = start + found[0].length
      if (kind === null) return end
      let { inside = found[0], word } = found.groups ?? {}
      if (word !== undefined) {
        const lines = hereDocument(word, resume ?? (text.indexOf('\n', start) + 1 || text.length))
        if (lines === null) continue
        ;({ inside, end: resume } = lines)
      }
      tokens.push({ kind, text: toText(inside), start, end, isFirst })
      isFirst = false
      return end
    }
    return start + 1
  }
}

const itself = (inside: string): string => inside

/** The lines up to one with only the word, and the offset after it; `null` without such a line. */
function hereDocumentsOf(text: string) {
  let lastLines: ReadonlyMap<string, number> | null = null
  return (word: string, from: number): { inside: string; end: number } | null => {
    lastLines ??= new Map(
      [...text.matchAll(/^[ \t]*([A-Z_]\w*)[ \t]*\r?$/gm)].map(({ 1: each = '', index }) => [
        each,
        index,
      ]),
    )
    if ((lastLines.get(word) ?? -1) < from) return null
    const line = new RegExp(`^[ \\t]*${word}[ \\t]*\\r?$`, 'gm')
    line.lastIndex = from
    const found = line.exec(text)
    return found && { inside: text.slice(from, found.index), end: line.lastIndex + 1 }
  }
}
