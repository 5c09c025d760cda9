/** How many cases there were, by level and fault, and what was wrong. */
export interface Tally {
  count(level: string, fault: string, times?: number): void
  /** What is written outside, and at how many places of what was played. */
  place(kind: string, times?: number): void
  fail(what: string): void
  /** Counts what another process did. */
  join(other: Counted): void
  readonly counted: Counted
  readonly failures: readonly string[]
  /** Cases. */
  readonly total: number
  /** The table, for people. */
  show(title: string): string
  /** "12 cases, 0 wrong" */
  readonly sum: string
}

/** Such as one process can tell another. */
export interface Counted {
  readonly cases: readonly (readonly [level: string, fault: string, times: number])[]
  readonly places: readonly (readonly [kind: string, times: number])[]
  readonly failures: readonly string[]
}

export function createTally(): Tally {
  const counts = new Map<string, Map<string, number>>()
  const places = new Map<string, number>()
  const failures: string[] = []
  const cases = () =>
    [...counts].flatMap(([level, faults]) =>
      [...faults].map(([fault, times]) => [level, fault, times] as const),
    )
  const tally: Tally = {
    count(level, fault, times = 1) {
      const ofLevel = counts.get(level) ?? new Map<string, number>()
      counts.set(level, ofLevel.set(fault, (ofLevel.get(fault) ?? 0) + times))
    },
    place: (kind, times = 1) => void places.set(kind, (places.get(kind) ?? 0) + times),
    fail: (what) => void failures.push(what),
    join(other) {
      for (const each of other.cases) tally.count(...each)
      for (const each of other.places) tally.place(...each)
      failures.push(...other.failures)
    },
    get counted() {
      return { cases: cases(), places: [...places], failures }
    },
    failures,
    get total() {
      return cases().reduce((sum, [, , times]) => sum + times, 0)
    },
    get sum() {
      return `${tally.total} cases, ${failures.length} wrong`
    },
    show(title) {
      const lines = [...counts].flatMap(([level, faults]) => {
        const sum = [...faults.values()].reduce((a, b) => a + b, 0)
        const each = [...faults].sort(([a], [b]) => a.localeCompare(b))
        return [`  ${level}: ${sum}`, ...each.map(([fault, count]) => `    ${fault}: ${count}`)]
      })
      return [title, ...lines].join('\n')
    },
  }
  return tally
}
