/** A job summary may have 1 MiB, and one unit of UTF-16 takes at most three bytes. */
export const longestSummary = 340_000

/** Room for the note about the cut and for closing marks. */
const reserve = 400

/**
 * Limits a text: cuts it at a line's end and says so.
 *
 * @param limit UTF-16 units
 */
export function boundText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const kept = cutAtLine(text, Math.max(0, limit - reserve))
  return `${kept}\n${cutNotice(text.length - kept.length)}`
}

/** The most that a text's hidden lines may take. */
const longestMarkers = 20_000

/**
 * Does the same for Markdown: closes fences and folded parts that the cut leaves open, and keeps the
 * hidden lines at the end, which say what the text is about.
 */
export function boundMarkdown(text: string, limit: number): string {
  if (text.length <= limit) return text
  const markers = splitHidden(text.slice(-Math.min(longestMarkers, Math.ceil(limit / 2)))).hidden
  const marker = markers.join('\n')
  const kept = cutAtLine(text, Math.max(0, limit - reserve - marker.length))
  const notice = `*${cutNotice(text.length - kept.length)}*`
  const parts = [`${kept}${closeFence(kept)}`, closeFolds(kept), notice, marker]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

const cutNotice = (characters: number): string =>
  `[cut here: ${characters.toLocaleString('en')} more characters]`

function cutAtLine(text: string, limit: number): string {
  const end = text.lastIndexOf('\n', limit)
  return (end > 0 ? text.slice(0, end) : text.slice(0, limit)).toWellFormed()
}

function closeFence(text: string): string {
  const last = readFences(text).fences.at(-1)
  return last === undefined || last.closed ? '' : `\n${last.mark}`
}

function closeFolds(text: string): string {
  const { outside } = readFences(text)
  const count = (start: RegExp) => outside.filter((line) => start.test(line)).length
  const left = count(/^<details\b/) - count(/^<\/details>/)
  return Array<string>(Math.max(0, left)).fill('</details>').join('\n')
}

export interface CodeFence {
  readonly mark: string
  /** The word after the mark, in lower case; empty when there is none. */
  readonly language: string
  /** The 1-based line of its first mark. */
  readonly line: number
  readonly lines: string[]
  closed: boolean
}

/** Returns the fenced parts of a Markdown text, and its lines with those parts blank. */
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

/** Splits a text from its trailing hidden lines; earlier ones came with quoted text. */
export function splitHidden(text: string): {
  readonly words: string
  readonly hidden: readonly string[]
} {
  const lines = text.trimEnd().split(/\r?\n/)
  const isHidden = (line: string) => /^<!-- executor:[^\r\n]{1,1300} -->[ \t]*$/.test(line)
  const end = lines.findLastIndex((line) => !isHidden(line)) + 1
  return { words: lines.slice(0, end).join('\n').trimEnd(), hidden: lines.slice(end) }
}
