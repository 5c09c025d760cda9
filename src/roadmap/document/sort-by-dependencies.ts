import type { Task } from '../../core/domain/task.ts'

/**
 * Sorts the numbers 0…n−1 so that each comes after all it depends on, the smallest rank first among
 * those that may come. `stuck` are those on a cycle or behind one.
 */
export function sortByDependencies(
  dependencies: readonly (readonly number[])[],
  rank: readonly number[],
): { readonly order: number[]; readonly stuck: number[] } {
  const waitingFor = dependencies.map((list) => list.length)
  const dependents: number[][] = dependencies.map(() => [])
  for (const [index, list] of dependencies.entries())
    for (const dependency of list) dependents[dependency]?.push(index)

  const rankOf = (index: number) => rank[index] ?? 0
  // The next one stands last.
  const ready = [...waitingFor.keys()]
    .filter((index) => waitingFor[index] === 0)
    .sort((a, b) => rankOf(b) - rankOf(a))
  const order: number[] = []
  for (let index = ready.pop(); index !== undefined; index = ready.pop()) {
    order.push(index)
    for (const dependent of dependents[index] ?? []) {
      const left = (waitingFor[dependent] ?? 0) - 1
      waitingFor[dependent] = left
      if (left === 0) insert(ready, dependent, rankOf)
    }
  }
  return { order, stuck: [...waitingFor.keys()].filter((index) => (waitingFor[index] ?? 0) > 0) }
}

/** Puts an item where it belongs in a list whose highest rank stands first. */
function insert(list: number[], item: number, rankOf: (item: number) => number): void {
  let [from, to] = [0, list.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (rankOf(list[middle] ?? 0) > rankOf(item)) from = middle + 1
    else to = middle
  }
  list.splice(from, 0, item)
}

/** For each task the places of those it depends on; what is not among them counts as met. */
export function dependencyPlaces(
  tasks: readonly Pick<Task, 'id' | 'dependsOn'>[],
): readonly (readonly number[])[] {
  const places = new Map(tasks.map(({ id }, index) => [id, index]))
  // Whole phases share one list: it is turned into places once, and stays one.
  const known = new Map<readonly string[], readonly number[]>()
  return tasks.map(({ dependsOn }) => {
    const list = known.get(dependsOn) ?? dependsOn.flatMap((id) => places.get(id) ?? [])
    known.set(dependsOn, list)
    return list
  })
}

/** True where one task waits for the other, over any number of others. */
export function leadsTo(
  from: string,
  to: string,
  needs: ReadonlyMap<string, readonly string[]>,
): boolean {
  const seen = new Set([from])
  for (const id of seen) for (const next of needs.get(id) ?? []) seen.add(next)
  return seen.has(to)
}
