import { countsRight, type Hunk } from './hunk.ts'
import { exactFitAt, type Fit, type TargetText } from './place-hunk.ts'

/**
 * The hunks at the lines that their headers name; `null` unless all numbers prove themselves: each header
 * counts its own lines right, each new number follows from the old one and the hunks before, and the old
 * lines of each stand exactly there. Models make numbers up, and such ones do not agree with all of this.
 */
export function fitsByNumber(target: TargetText, hunks: readonly Hunk[]): readonly Fit[] | null {
  let longer = 0
  const fits: Fit[] = []
  for (const hunk of hunks) {
    const { range } = hunk
    if (range === null || !countsRight(hunk)) return null
    const at = firstLine(range.oldStart, range.oldCount)
    if (firstLine(range.newStart, range.newCount) !== at + longer) return null
    const fit = exactFitAt(target, hunk, at)
    if (fit === null) return null
    longer += range.newCount - range.oldCount
    fits.push(fit)
  }
  return fits
}

/** Of no lines, a header names the line before. */
const firstLine = (start: number, count: number): number => (count === 0 ? start : start - 1)
