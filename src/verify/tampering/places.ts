/** Where something stands in a text, as it is written there. */
export interface SourcePlace {
  readonly said: string
  readonly start: number
  /** 1-based. */
  readonly line: number
}

const mostPlaces = 100

/**
 * The first place of each that is written differently: what is known is known by how it is written.
 *
 * @param searched the text, or the same with parts of it blanked
 * @param counts whether what starts there counts at all
 */
export function placesIn(
  text: string,
  searched: string,
  form: RegExp,
  counts: (start: number) => boolean = () => true,
): readonly SourcePlace[] {
  const starts = new Map<string, number>()
  for (const { 0: found, index } of searched.matchAll(form)) {
    const start = index + found.length - found.trimStart().length
    const said = (text.slice(start, index + found.length).split('\n')[0] ?? '').trim()
    if (starts.has(said) || starts.size === mostPlaces || !counts(start)) continue
    starts.set(said, start)
  }
  return [...starts].map(([said, start]) => {
    return { start, said, line: text.slice(0, start).split('\n').length }
  })
}

/** Those that were not there before. */
export function freshPlaces<Found extends Pick<SourcePlace, 'said'>>(
  after: readonly Found[],
  before: readonly Found[],
): readonly Found[] {
  const known = new Set(before.map(({ said }) => said))
  return after.filter(({ said }) => !known.has(said))
}
