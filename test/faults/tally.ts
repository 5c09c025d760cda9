/** How many cases there were, by level and fault, and what was wrong. */
export interface Tally {
  count(level: string, fault: string): void
  fail(what: string): void
  readonly failures: readonly string[]
  readonly total: number
  /** The table, for people. */
  show(title: string): string
}

export function createTally(): Tally {
  const counts = new Map<string, Map<string, number>>()
  const failures: string[] = []
  return {
    failures,
    get total() {
      return [...counts.values()].flatMap((each) => [...each.values()]).reduce((a, b) => a + b, 0)
    },
    count(level, fault) {
      const ofLevel = counts.get(level) ?? new Map<string, number>()
      counts.set(level, ofLevel.set(fault, (ofLevel.get(fault) ?? 0) + 1))
    },
    fail: (what) => void failures.push(what),
    show(title) {
      const lines = [...counts].flatMap(([level, faults]) => {
        const sum = [...faults.values()].reduce((a, b) => a + b, 0)
        const each = [...faults].sort(([a], [b]) => a.localeCompare(b))
        return [`  ${level}: ${sum}`, ...each.map(([fault, count]) => `    ${fault}: ${count}`)]
      })
      return [title, ...lines].join('\n')
    },
  }
}
