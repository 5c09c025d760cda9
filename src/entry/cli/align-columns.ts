import type { Terminal } from './terminal.ts'

/** Longest text of a cell, in characters: what is longer is cut, with `…`. */
const widest = 48

/**
 * Rows under their heads (`Name|>Times`: numbers stand right), each column as wide as its widest cell; the
 * last is not padded.
 */
export function alignColumns(
  heads: string,
  rows: readonly (readonly string[])[],
): readonly string[] {
  const cut = (text: string) =>
    [...text].length > widest ? `${[...text].slice(0, widest - 1).join('')}…` : text
  const columns = heads.split('|')
  const lines = [columns.map((head) => head.replace(/^>/, '')), ...rows.map((row) => row.map(cut))]
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((line) => [...(line[index] ?? '')].length)),
  )
  return lines.map((line) =>
    columns
      .map((head, index) => {
        const cell = line[index] ?? ''
        const padding = ' '.repeat((widths[index] ?? 0) - [...cell].length)
        return head.startsWith('>') ? padding + cell : cell + padding
      })
      .join('  ')
      .trimEnd(),
  )
}

/** The same on standard output, with the heads in bold. */
export function printTable(
  heads: string,
  rows: readonly (readonly string[])[],
  terminal: Terminal,
): void {
  const [head = '', ...lines] = alignColumns(heads, rows)
  terminal.print(terminal.paint('bold', head))
  for (const line of lines) terminal.print(line)
}

/** A share of 1 as a bar of this many characters: `██████▌···`. */
export function drawBar(share: number, width = 10): string {
  const halves = Math.round(Math.min(1, Math.max(0, share)) * width * 2)
  const full = '█'.repeat(halves >> 1) + (halves % 2 === 1 ? '▌' : '')
  return full + '·'.repeat(width - full.length)
}
