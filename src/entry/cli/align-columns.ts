/** One column of a table for a terminal. */
export interface Column {
  readonly head: string
  /** Numbers stand right. */
  readonly right?: boolean
}

/** Longest text of a cell, in characters: what is longer is cut, with `…`. */
const widest = 48

/** Rows under their heads, each column as wide as its widest cell; the last is not padded. */
export function alignColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const cut = (text: string) =>
    [...text].length > widest ? `${[...text].slice(0, widest - 1).join('')}…` : text
  const lines = [columns.map(({ head }) => head), ...rows.map((row) => row.map(cut))]
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((line) => [...(line[index] ?? '')].length)),
  )
  return lines.map((line) =>
    columns
      .map(({ right }, index) => {
        const cell = line[index] ?? ''
        const padding = ' '.repeat((widths[index] ?? 0) - [...cell].length)
        return right ? padding + cell : cell + padding
      })
      .join('  ')
      .trimEnd(),
  )
}

/** A share of 1 as a bar of this many characters: `██████▌···`. */
export function drawBar(share: number, width = 10): string {
  const halves = Math.round(Math.min(1, Math.max(0, share)) * width * 2)
  const full = '█'.repeat(halves >> 1) + (halves % 2 === 1 ? '▌' : '')
  return full + '·'.repeat(width - full.length)
}
