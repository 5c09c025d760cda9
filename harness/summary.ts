/** One line of a summary, and its bound where it has one. */
export interface Figure {
  readonly name: string
  readonly count: number
  readonly of: number
  readonly bound?: { readonly least?: number; readonly most?: number }
}

/** True where there is no bound, and where nothing was counted. */
export function isMet({ count, of, bound }: Figure): boolean {
  if (of === 0 || bound === undefined) return true
  const share = count / of
  return share >= (bound.least ?? 0) && share <= (bound.most ?? 1)
}

export function writeSummary(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${figure.count} of ${figure.of}`,
    figure.of === 0 ? '' : `${((100 * figure.count) / figure.of).toFixed(1)} %`,
    writeBound(figure),
  ])
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(width(column)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function writeBound(figure: Figure): string {
  const { bound, of } = figure
  if (bound === undefined || of === 0) return ''
  const parts = [
    bound.least === undefined ? [] : [`at least ${100 * bound.least} %`],
    bound.most === undefined ? [] : [`at most ${100 * bound.most} %`],
  ].flat()
  return `${parts.join(', ')}: ${isMet(figure) ? 'met' : 'MISSED'}`
}
