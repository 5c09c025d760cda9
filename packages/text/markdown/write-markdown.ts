/** Writes code on one line: no backtick ends it, and no pipe ends its table cell. */
export const inlineCode = (text: string): string =>
  `\`${withoutControls(text)
    .replaceAll(/[`|\s]+/g, ' ')
    .trim()}\``

/**
 * Neutralises a line that code follows in the same paragraph: a backtick without a partner would end where that code
 * begins, and the code's text would stand outside of it, where mentions and references count.
 */
export const lineBeforeCode = (text: string): string =>
  neutraliseLine(isPaired.test(text) ? text : text.replaceAll(/(\\*)`/g, '$1$1\\`'))

const isPaired = /^[^`\\]*(?:`[^`\\]+`[^`\\]*)*$/

/** Neutralises text for a table cell or a list item: no pipe ends it, even after a backslash. */
export const tableCell = (text: string): string =>
  neutraliseLine(text).replaceAll(/(\\*)\|/g, '$1$1\\|')

/**
 * Writes a table of cells that are already Markdown; without rows, its head.
 *
 * @param columns a name with a colon after it is aligned right
 */
export function writeTable(
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) =>
    `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`
  const rule = columns.map((name) => (name.endsWith(':') ? '--:' : '---')).join('|')
  return [line(columns.map((name) => name.replace(':', ''))), `|${rule}|`, ...rows.map(line)].join(
    '\n',
  )
}

export const writeList = (items: readonly string[]): string =>
  items.map((item) => `- ${item}`).join('\n')

/** Joins the parts that are not empty with blank lines. */
export const paragraphs = (parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join('\n\n')

/** Puts a body under its heading; returns nothing for an empty body. */
export const headed = (heading: string, body: string): string =>
  body === '' ? '' : `${heading}\n${body}`

/** A part that opens on a click; the summary must be our own words. */
export const fold = (summary: string, body: string): string =>
  `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`

/** A coloured box on GitHub. Each line must be our own Markdown, or neutralised text of one line. */
export const alert = (kind: 'NOTE' | 'WARNING' | 'CAUTION', lines: readonly string[]): string =>
  [`[!${kind}]`, ...lines].map((line) => `> ${line}`).join('\n')

/** `1 warning`, `2 warnings`. */
export const countOf = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`

/** Drawn as nothing; it stops GitHub from seeing a mention or a reference. */
const breaker = '\u200B'

/**
 * Makes text of models and tests inert for a PR body, a comment or a commit message, where it reads
 * the same. Mentions, references (and so closing keywords), commands at a line's start, HTML,
 * entities, pictures, fences and controls lose their effect, even after a backslash. So do `[skip ci]`
 * and the like: a squashed commit may repeat the body, and GitHub Actions obeys them in its message.
 */
export function neutralise(text: string): string {
  const plain = withoutControls(text)
    .replace(/&(?=#?\w{1,32};)/g, '&amp;')
    .replace(/<(?=[A-Za-z/!?])/g, '&lt;')
    .replace(/(\\*)!(?=\[)/g, '$1$1\\!')
  return withoutSwitches(withoutReferences(plain))
    .replace(/^([ \t>*+-]*)\/(?=[A-Za-z])/gm, (_, start: string) => `${start}\\/`)
    .replace(/^([ \t>*+-]*(?:\d{1,9}[.)][ \t]+)?)(?=`{3}|~{3})/gm, (start) => `${start}\\`)
}

/**
 * Does the same on one line, for a list's item or a table's cell, where no first word makes it, or
 * the line above, a heading, a quote, a rule, another list, a check box or an invisible definition.
 */
export const neutraliseLine = (text: string): string =>
  neutralise(withoutControls(text).replaceAll(/\s+/g, ' ').trim())
    .replace(/^(?=>|#{1,6}(?: |$)|[+*-](?: |$)|[*_ -]+$|=+$|\[[ xX]\](?: |$)|\[.*\]:)/, '\\')
    .replace(/^(\d{1,9})(?=[.)](?: |$))/, '$1\\')

/**
 * Does the same for a line that is not Markdown: the title of a commit or a pull request.
 */
export const neutraliseTitle = (text: string): string =>
  withoutSwitches(withoutReferences(withoutControls(text).replace(/\s+/g, ' ').trim()))

/**
 * Does the same for words in code that is not for copying: a squashed commit may repeat a body as plain text, where no
 * fence holds mentions, references and hidden lines.
 */
export const neutraliseCode = (text: string): string =>
  withoutSwitches(withoutReferences(withoutControls(text))).replaceAll('<!--', `<!${breaker}--`)

const withoutSwitches = (text: string): string =>
  text.replace(/\[(?=(?:skip|no)[ -](?:ci|actions)\]|(?:ci|actions)[ -]skip\])/gi, `[${breaker}`)

/** With plain line ends; `\uFFFD` stands for each control and each character that turns the text around. */
export const withoutControls = (text: string): string =>
  text
    .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/g, '\n')
    .replace(/[\u202A-\u202E\u2066-\u2069]|(?![\n\t])\p{Cc}/gu, '\uFFFD')

const withoutReferences = (text: string): string =>
  text
    .replace(/@(?=[\p{L}\p{N}])/gu, `@${breaker}`)
    .replace(/#(?=\d)/g, `#${breaker}`)
    .replace(/\b(GH-)(?=\d)/gi, (prefix) => prefix + breaker)
    .replace(/\/(?:issues|pull|discussions|commit)\/(?=\w)/g, (part) => part + breaker)

/** Puts a text in a code fence that nothing in it can close. */
export function fenced(text: string, language = ''): string {
  const runs = text.match(/`+/g) ?? []
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  const info = language.replace(/[^\w+#.-]/g, '')
  return `${fence}${info}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${fence}`
}

/**
 * Makes output of tests or tools inert in a workflow log: the runner obeys `::command::` at a
 * line's start and `##[command]` anywhere, see actions/runner ActionCommand.cs.
 */
export const inertLog = (text: string): string =>
  text
    .replace(
      /(^|[\n\r\v\f\u0085\u2028\u2029])([^\S\n\r\v\f\u2028\u2029]*)::/g,
      (_, line: string, space: string) => `${line}${space}: :`,
    )
    .replaceAll('##[', '# #[')

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
