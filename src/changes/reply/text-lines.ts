/** A text file as lines, with what is needed to write it back in its own way. */
export interface TextLines {
  readonly lines: readonly string[]
  /** The ending of each line; the last is empty when the file does not end with one. */
  readonly endings: readonly string[]
}

export function splitLines(text: string): TextLines {
  const lines: string[] = []
  const endings: string[] = []
  let from = 0
  while (from < text.length) {
    const at = text.indexOf('\n', from)
    const end = at < 0 ? text.length : at
    const ending = at < 0 ? '' : text[at - 1] === '\r' && at > from ? '\r\n' : '\n'
    lines.push(text.slice(from, ending === '\r\n' ? end - 1 : end))
    endings.push(ending)
    from = end + 1
  }
  return { lines, endings }
}

export function joinLines({ lines, endings }: TextLines): string {
  return lines.map((line, index) => line + (endings[index] ?? '')).join('')
}

/** Lines of a text whose endings do not matter; a final one adds no line. */
export function linesOf(text: string): readonly string[] {
  return splitLines(text).lines
}

/** The line ending a file mostly uses; `\n` for a file without any. */
export function mainEnding({ endings }: TextLines): '\n' | '\r\n' {
  const windows = endings.filter((ending) => ending === '\r\n').length
  return windows * 2 > endings.length ? '\r\n' : '\n'
}

/** The text with the line endings, byte order mark and final newline that the old text has. */
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
