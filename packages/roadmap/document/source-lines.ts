/** Splits a document into lines and maps them back to its characters. */

export interface Source {
  readonly text: string
  /** Without line endings and byte order mark. */
  readonly lines: readonly string[]
  /** The offset of each line in the text, in UTF-16 units. */
  readonly starts: readonly number[]
}

const [lineFeed, carriageReturn] = [10, 13]

/** Splits at LF, CRLF and lone CR, the line endings of CommonMark. */
export function splitSource(text: string): Source {
  const starts = lineStarts(text)
  return { text, starts, lines: starts.map((_, index) => lineAt(text, starts, index)) }
}

/** The offset of each line. A loop, since a pattern would create an object for each of 30,000 lines. */
export function lineStarts(text: string): readonly number[] {
  const starts = [text.startsWith('\uFEFF') ? 1 : 0]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code !== lineFeed && code !== carriageReturn) continue
    if (code === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at += 1
    starts.push(at + 1)
  }
  return starts
}

function lineAt(text: string, starts: readonly number[], index: number): string {
  const start = starts[index]
  if (start === undefined) return ''
  const next = starts[index + 1]
  if (next === undefined) return text.slice(start)
  const isPair = next - start > 1 && text.startsWith('\r\n', next - 2)
  return text.slice(start, next - (isPair ? 2 : 1))
}

/** The ending of the text's first line, which new lines get, too. */
export const lineEnding = (text: string): string => /\r\n|\n|\r/.exec(text)?.[0] ?? '\n'

/** Replaces lines `from` to `to` (1-based; inserts when `to` is before `from`) and keeps every other byte. */
export function withLines(
  text: string,
  from: number,
  to: number,
  fresh: readonly string[],
): string {
  const starts = lineStarts(text)
  const ending = lineEnding(text)
  const end = (starts[to - 1] ?? 0) + lineAt(text, starts, to - 1).length
  const start = to >= from ? text.slice(0, starts[from - 1] ?? 0) : text.slice(0, end) + ending
  return start + fresh.join(ending) + text.slice(end)
}

export function readDetails(lines: readonly string[], first: number, last: number): string {
  const own = lines.slice(first - 1, last)
  const start = own.findIndex((line) => line.trim() !== '')
  if (start === -1) return ''
  const end = own.findLastIndex((line) => line.trim() !== '')
  const shown = own.slice(start, end + 1)
  const indent = commonIndent(shown)
  return shown.map((line) => line.slice(Math.min(indent, indentOf(line)))).join('\n')
}

function commonIndent(lines: readonly string[]): number {
  const [first = '', ...rest] = lines.filter((line) => line.trim() !== '')
  let common = first.slice(0, indentOf(first))
  for (const line of rest) while (!line.startsWith(common)) common = common.slice(0, -1)
  return common.length
}

const indentOf = (line: string): number => line.length - line.trimStart().length
