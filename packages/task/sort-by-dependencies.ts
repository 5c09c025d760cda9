/**
 * Sorts the numbers 0…n−1 so that each follows everything it depends on; among those that may come next, the smallest
 * rank is first. `stuck` are those on a cycle, or that depend on one.
 */
export function sortByDependencies(
  dependencies: readonly (readonly number[])[],
  rank: readonly number[],
): { readonly order: number[]; readonly stuck: number[] } {
  const waitingFor = Int32Array.from(dependencies, (list) => list.length)
  const dependents = reversed(dependencies)
  const rankOf = (index: number) => rank[index] ?? 0
  // A stack: its last element is next.
  const ready = [...waitingFor.keys()]
    .filter((index) => waitingFor[index] === 0)
    .sort((a, b) => rankOf(b) - rankOf(a))
  const order: number[] = []
  for (let index = ready.pop(); index !== undefined; index = ready.pop()) {
    order.push(index)
    for (const dependent of dependents(index)) {
      const left = (waitingFor[dependent] ?? 0) - 1
      waitingFor[dependent] = left
      if (left === 0) insert(ready, dependent, rankOf)
    }
  }
  return { order, stuck: [...waitingFor.keys()].filter((index) => (waitingFor[index] ?? 0) > 0) }
}

/** Looks up the dependents of each number in slices of one array, instead of 10,000 small arrays. */
function reversed(lists: readonly (readonly number[])[]): (index: number) => Int32Array {
  const ends = new Int32Array(lists.length + 1)
  for (const list of lists) for (const index of list) ends[index + 1] = (ends[index + 1] ?? 0) + 1
  for (let at = 1; at < ends.length; at += 1) ends[at] = (ends[at] ?? 0) + (ends[at - 1] ?? 0)
  const filled = ends.slice()
  const all = new Int32Array(ends.at(-1) ?? 0)
  for (const [from, list] of lists.entries()) {
    for (const index of list) {
      const at = filled[index] ?? 0
      all[at] = from
      filled[index] = at + 1
    }
  }
  return (index) => all.subarray(ends[index], ends[index + 1])
}

/** Inserts an item into a list sorted by descending rank. */
function insert(list: number[], item: number, rankOf: (item: number) => number): void {
  let [from, to] = [0, list.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (rankOf(list[middle] ?? 0) > rankOf(item)) from = middle + 1
    else to = middle
  }
  list.splice(from, 0, item)
}

/** An item and the ids of those it needs. */
interface Dependent {
  readonly id: string
  readonly dependsOn: readonly string[]
}

/** The indices of each item's dependencies; an id that is not in the list counts as met. */
export function dependencyPlaces(
  items: readonly Dependent[],
  needs: readonly (readonly string[])[] = items.map(({ dependsOn }) => dependsOn),
): readonly (readonly number[])[] {
  const places = new Map(items.map(({ id }, index) => [id, index]))
  // The tasks of a phase of a roadmap share one list of ids; resolve it once and share the result.
  const known = new Map<readonly string[], readonly number[]>()
  return needs.map((dependsOn) => {
    const list = known.get(dependsOn) ?? dependsOn.flatMap((id) => places.get(id) ?? [])
    known.set(dependsOn, list)
    return list
  })
}

/** Returns true when one task depends on the other, directly or through others. */
export function leadsTo(
  from: string,
  to: string,
  needs: ReadonlyMap<string, readonly string[]>,
): boolean {
  const seen = new Set([from])
  for (const id of seen) for (const next of needs.get(id) ?? []) seen.add(next)
  return seen.has(to)
}
