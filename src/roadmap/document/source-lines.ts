/** A document cut into lines, with the way back to its characters. */
export interface SourceLines {
  /** Without their line endings, and without a byte order mark. */
  readonly lines: readonly string[]
  /** Where each line starts in the whole text, in UTF-16 units. */
  readonly starts: readonly number[]
}

/** Cuts at LF, CRLF and lone CR, the line endings of CommonMark. */
export function splitSource(text: string): SourceLines {
  const lines: string[] = []
  const starts: number[] = []
  const ending = /\r\n|\n|\r/g
  let start = text.startsWith('\uFEFF') ? 1 : 0
  for (const match of text.matchAll(ending)) {
    lines.push(text.slice(start, match.index))
    starts.push(start)
    start = match.index + match[0].length
  }
  lines.push(text.slice(start))
  starts.push(start)
  return { lines, starts }
}

/** What a new line of this text ends with: what its first line does. */
export const lineEnding = (text: string): string => /\r\n|\n|\r/.exec(text)?.[0] ?? '\n'

/** Lines `from` to `to` (1-based; none of them when `to` is before `from`) become these; every other byte stays. */
export function withLines(
  text: string,
  from: number,
  to: number,
  fresh: readonly string[],
): string {
  const { lines, starts } = splitSource(text)
  const ending = lineEnding(text)
  const end = (starts[to - 1] ?? 0) + (lines[to - 1] ?? '').length
  const start = to >= from ? text.slice(0, starts[from - 1] ?? 0) : text.slice(0, end) + ending
  return start + fresh.join(ending) + text.slice(end)
}
