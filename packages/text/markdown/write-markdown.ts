import { neutraliseLine, withoutControls } from './neutralise.ts'

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
