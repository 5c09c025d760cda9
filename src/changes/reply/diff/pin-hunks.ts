/** A run of lines that a hunk changes, at one place: 0-based, `end` behind the last. Equal for a pure insertion. */
export interface Core {
  readonly start: number
  readonly end: number
}

/**
 * Which place of each hunk is meant, as an index into its places; -1 where nobody can tell, or
 * where there is none. Hunks stand in the order of the file: where those with one place keep
 * to that, they narrow the others. A place counts only if no other is possible.
 */
export function pinHunks(places: readonly (readonly Core[])[]): readonly number[] {
  const single = places.flatMap((cores) => (cores.length === 1 && cores[0] ? [cores[0]] : []))
  const inOrder = single.every((core, index) => core.start >= (single[index - 1]?.end ?? 0))
  const alone = places.map((cores) => (cores.length === 1 ? 0 : -1))
  if (!inOrder) return alone
  const earliest = pick(places)
  const latest = pick(places.toReversed().map((cores) => cores.map(mirrored).toReversed()))
    .toReversed()
    .map((index, at) => (index < 0 ? -1 : (places[at]?.length ?? 0) - 1 - index))
  return alone.map((only, at) => {
    const first = earliest[at] ?? -1
    return only < 0 && first === latest[at] ? first : only
  })
}

/** The first place of each hunk that lies behind those of the hunks before; -1 for none. */
function pick(places: readonly (readonly Core[])[]): readonly number[] {
  let end = Number.NEGATIVE_INFINITY
  return places.map((cores) => {
    if (cores.length === 0) return -1
    const index = cores.findIndex((core) => core.start >= end)
    const core = cores[index]
    if (core) end = core.end
    return index
  })
}

const mirrored = ({ start, end }: Core): Core => ({ start: -end, end: -start })
