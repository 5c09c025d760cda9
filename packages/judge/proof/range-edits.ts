/** Another text for a part of one. */
export interface RangeEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Applies edits that do not overlap. */
export function replaceRanges(text: string, edits: readonly RangeEdit[]): string {
  let changed = text
  for (const { start, end, text: put } of edits.toSorted((a, b) => b.start - a.start)) {
    changed = changed.slice(0, start) + put + changed.slice(end)
  }
  return changed
}
