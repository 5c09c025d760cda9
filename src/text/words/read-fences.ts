/** A fenced part of a Markdown text. */
export interface CodeFence {
  readonly mark: string
  /** Behind the mark, lower case; empty where there is none. */
  readonly language: string
  /** Of its first mark, 1-based. */
  readonly line: number
  readonly lines: string[]
  closed: boolean
}

/** The fenced parts of a Markdown text, and its lines with those parts blank. */
export function readFences(text: string): {
  readonly fences: readonly CodeFence[]
  readonly outside: readonly string[]
} {
  const fences: CodeFence[] = []
  const outside = text.split(/\r?\n/).map((line, index) => {
    const [, mark = '', language = '', more = ''] =
      /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})[ \t]*([\w+#.-]*)(.*)$/.exec(line) ?? []
    const last = fences.at(-1)
    if (last && !last.closed) {
      if (mark.startsWith(last.mark) && `${language}${more}`.trim() === '') last.closed = true
      else last.lines.push(line)
      return ''
    }
    if (mark === '') return line
    const inside = { lines: [], closed: false }
    fences.push({ mark, language: language.toLowerCase(), line: index + 1, ...inside })
    return ''
  })
  return { fences, outside }
}
