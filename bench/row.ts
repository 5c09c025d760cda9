/** One line of the table. Numbers are in `unit`; the table writer rounds. */
export interface Row {
  readonly figure: string
  readonly unit: 'ms' | 's' | 'MB' | 'KB' | 'tokens' | '×' | '%' | ''
  readonly measured: number
  /** The most it may be, where docs/performance.md sets a target. */
  readonly limit?: number
  /** The least it may be, where more is better. */
  readonly least?: number
  /** What the floor needs for the same, measured beside it. */
  readonly floor?: number
  /** Every sample behind a median, for the results file. */
  readonly samples?: readonly number[]
}

/** `null` where there is no target. */
export function isMet({ measured, limit, least }: Row): boolean | null {
  if (least !== undefined) return measured >= least
  return limit === undefined ? null : measured <= limit
}
