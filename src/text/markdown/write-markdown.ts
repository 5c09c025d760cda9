import { neutraliseLine } from './neutralise.ts'

/** As code on one line: no back-tick ends it, and no pipe the cell of a table. */
export const inlineCode = (text: string): string => `\`${text.replaceAll(/[`|\s]+/g, ' ').trim()}\``

/** Words of others for a table's cell or a list's item: no pipe ends it, not even one behind a back-slash. */
export const tableCell = (text: string): string =>
  neutraliseLine(text).replaceAll(/(\\*)\|/g, '$1$1\\|')

/**
 * A table of cells that are Markdown already; without rows, its head.
 *
 * @param columns a name with a colon behind it stands on the right
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

/** Parts with a blank line between them; those that are empty are left out. */
export const paragraphs = (parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join('\n\n')

/** A body under its heading; nothing where the body is empty. */
export const headed = (heading: string, body: string): string =>
  body === '' ? '' : `${heading}\n${body}`

/** A part that is opened by a click; the summary is our own words. */
export const fold = (summary: string, body: string): string =>
  `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`

/** What GitHub draws as a coloured box. Each line has to be Markdown of ours, or neutralised on one line. */
export const alert = (kind: 'NOTE' | 'WARNING' | 'CAUTION', lines: readonly string[]): string =>
  [`[!${kind}]`, ...lines].map((line) => `> ${line}`).join('\n')

/** `1 warning`, `2 warnings`. */
export const countOf = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`
