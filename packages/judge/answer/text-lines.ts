/** Lines of a text, without their ends. */
export type Lines = readonly string[]

/** A text file as lines, with everything needed to write it back in its own form. */
export interface TextLines {
  readonly lines: Lines
  /** The ending of each line; the last is empty when the file does not end with one. */
  readonly endings: Lines
}

export function splitLines(text: string): TextLines {
  const parts = text.split(/(\r?\n)/)
  if (parts.at(-1) === '') parts.pop()
  else parts.push('')
  const every = (rest: number) => parts.filter((_, index) => index % 2 === rest)
  return { lines: every(0), endings: every(1) }
}

export const joinLines = ({ lines, endings }: TextLines): string =>
  lines.map((line, index) => line + (endings[index] ?? '')).join('')

/** Lines of a text whose endings do not matter; a final one adds no line. */
export const linesOf = (text: string): Lines => splitLines(text).lines

export const textOfLines = (lines: Lines): string => lines.map((line) => `${line}\n`).join('')

/** The line ending a file mostly uses; `\n` for a file without any. */
export function mainEnding({ endings }: TextLines): '\n' | '\r\n' {
  const windows = endings.filter((ending) => ending === '\r\n').length
  return windows * 2 > endings.length ? '\r\n' : '\n'
}

/** Gives a text the line endings, byte order mark and final newline of the old text. */
export function inTheStyleOf(before: string, text: string): string {
  const old = splitLines(before)
  const { lines, endings } = splitLines(text)
  const ending = mainEnding(old)
  const isOpen = before !== '' && old.endings.at(-1) === ''
  const written = lines.map((line, index) => {
    const isLast = index === lines.length - 1
    return isLast && isOpen ? line : `${line}${isLast || endings[index] ? ending : ''}`
  })
  const mark = before.startsWith('\uFEFF') && !text.startsWith('\uFEFF') ? '\uFEFF' : ''
  return mark + written.join('')
}

/** Finds lines in others in one pass (Knuth, Morris, Pratt), so that hostile input stays linear. */
export function findLines(lines: Lines, wanted: Lines, limit: number): readonly number[] {
  if (wanted.length === 0) return []
  /** For each prefix, the length of its longest proper prefix that is its suffix too. */
  const fallback: number[] = []
  const found: number[] = []
  const follow = (matched: number, line: string | undefined): number => {
    let length = matched
    while (length > 0 && line !== wanted[length]) length = fallback[length - 1] ?? 0
    return line === wanted[length] ? length + 1 : length
  }
  for (let index = 0, matched = 0; index < wanted.length; index += 1) {
    if (index > 0) matched = follow(matched, wanted[index])
    fallback.push(matched)
  }
  for (let index = 0, matched = 0; index < lines.length && found.length < limit; index += 1) {
    matched = follow(matched, lines[index])
    if (matched < wanted.length) continue
    found.push(index - matched + 1)
    matched = fallback[matched - 1] ?? 0
  }
  return found
}

/** How many lines of a refused part, and characters of a line, are shown. */
const mostLines = 12
const mostCharacters = 200

/** The first lines of a refused text, shortened but still recognizable. */
export function shorten(lines: Lines): string {
  const shown = lines
    .slice(0, mostLines)
    .map((line) => (line.length > mostCharacters ? `${line.slice(0, mostCharacters)} …` : line))
  const left = lines.length - shown.length
  return [...shown, ...(left > 0 ? [`… ${left} more lines`] : [])].join('\n')
}
