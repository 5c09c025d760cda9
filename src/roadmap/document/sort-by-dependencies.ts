/**
 * Sorts the numbers 0…n−1 so that each comes after all it depends on, the smallest rank first among
 * those that may come. `stuck` are those on a cycle or behind one. O((n + edges) log n).
 */
export function sortByDependencies(
  dependencies: readonly (readonly number[])[],
  rank: readonly number[],
): { readonly order: number[]; readonly stuck: number[] } {
  const waitingFor = dependencies.map((list) => list.length)
  const dependents: number[][] = dependencies.map(() => [])
  for (const [index, list] of dependencies.entries())
    for (const dependency of list) dependents[dependency]?.push(index)

  const ready = new Queue((index) => rank[index] ?? 0)
  for (const [index, count] of waitingFor.entries()) if (count === 0) ready.push(index)
  const order: number[] = []
  for (let index = ready.pop(); index !== undefined; index = ready.pop()) {
    order.push(index)
    for (const dependent of dependents[index] ?? []) {
      const left = (waitingFor[dependent] ?? 0) - 1
      waitingFor[dependent] = left
      if (left === 0) ready.push(dependent)
    }
  }
  return { order, stuck: [...waitingFor.keys()].filter((index) => (waitingFor[index] ?? 0) > 0) }
}

/** A binary heap: the smallest by `rankOf` comes out first. */
class Queue {
  readonly #heap: number[] = []
  readonly #rankOf: (item: number) => number

  constructor(rankOf: (item: number) => number) {
    this.#rankOf = rankOf
  }

  push(item: number): void {
    this.#heap.push(item)
    let place = this.#heap.length - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!this.#isBefore(place, parent)) return
      this.#swap(place, parent)
      place = parent
    }
  }

  pop(): number | undefined {
    const last = this.#heap.length - 1
    this.#swap(0, last)
    const first = this.#heap.pop()
    let place = 0
    for (;;) {
      const [left, right] = [place * 2 + 1, place * 2 + 2]
      let smallest = this.#isBefore(left, place) ? left : place
      if (this.#isBefore(right, smallest)) smallest = right
      if (smallest === place) return first
      this.#swap(place, smallest)
      place = smallest
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [left, right] = [this.#heap[a], this.#heap[b]]
    return left !== undefined && right !== undefined && this.#rankOf(left) < this.#rankOf(right)
  }

  #swap(a: number, b: number): void {
    const [left, right] = [this.#heap[a], this.#heap[b]]
    if (left === undefined || right === undefined) return
    this.#heap[a] = right
    this.#heap[b] = left
  }
}
