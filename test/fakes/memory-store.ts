import type { JournalEntry, JournalEvent } from '../../src/core/domain/journal-event.ts'
import type { RunState } from '../../src/core/domain/run-state.ts'
import { totalTokens } from '../../src/core/domain/usage.ts'
import type { LoadResult, PastTask, Spending, Store } from '../../src/core/ports/store.ts'

export interface MemoryStore extends Store {
  /** Every state that was saved, oldest first. */
  readonly saved: readonly RunState[]
  readonly reports: ReadonlyMap<string, string>
  readonly spent: readonly Spending[]
  /** Of all runs, as they came. */
  readonly events: readonly JournalEvent[]
  /** A run as another machine left it. */
  restore(state: RunState, events: readonly JournalEvent[]): Promise<void>
}

/**
 * A store in memory; `found` is what the first `load` answers. With `shares` states are kept as they
 * are given, not copied: for thousands of runs.
 */
export function createMemoryStore(
  found: LoadResult = { status: 'none' },
  {
    shares,
    heard = () => {},
  }: {
    readonly shares: boolean
    readonly heard?: (run: string, events: readonly JournalEvent[]) => void
  } = { shares: false },
): MemoryStore {
  const copy = <T>(value: T): T => (shares ? value : structuredClone(value))
  const lengths = new Map<string, number>()
  const saved: RunState[] = []
  const reports = new Map<string, string>()
  const spent: Spending[] = []
  const events: JournalEvent[] = []
  const append = (run: string, entries: readonly JournalEntry[]): void => {
    const added = entries.map((entry, index) =>
      copy({
        ...{ seq: (lengths.get(run) ?? 0) + index, at: '2026-01-01T00:00:00.000Z', run },
        ...entry,
      }),
    )
    lengths.set(run, (lengths.get(run) ?? 0) + entries.length)
    events.push(...added)
    heard(run, added)
  }
  return {
    events,
    saved,
    reports,
    spent,
    async load() {
      const state = saved.at(-1)
      return state ? { status: 'loaded', state: copy(state) } : found
    },
    async save(state, entries = []) {
      append(state.run.id, entries)
      saved.push(copy(state))
    },
    async record(run, entries) {
      append(run, entries)
    },
    async restore(state, journal) {
      events.push(...journal)
      lengths.set(state.run.id, (journal.at(-1)?.seq ?? -1) + 1)
      saved.push(copy(state))
    },
    journal: async (run) => events.filter((event) => event.run === run),
    runs: async () => [...new Set(events.map(({ run }) => run))].sort(),
    async answer(run, call, hash) {
      const said = events.flatMap((event) =>
        event.kind === 'silent' || (event.kind === 'answered' && event.exact) ? [event] : [],
      )
      const isIt = (event: (typeof said)[number]) =>
        event.run === run && event.call === call && event.hash === hash
      return said.findLast(isIt) ?? null
    },
    async writeReport(name, text) {
      reports.set(name, text)
      return `/memory/${name}`
    },
    async recordSpending(spending) {
      spent.push(spending)
    },
    async spendingOn(day) {
      const calls = spent.filter(({ at }) => at.startsWith(day))
      const tokens = calls.reduce((sum, call) => sum + call.tokens, 0)
      const dollars = calls.reduce((sum, call) => sum + call.dollars, 0)
      return { tokens, dollars, unreadable: null }
    },
    async pastTasks() {
      const tasks = new Map<string, PastTask>()
      for (const result of saved.flatMap(({ tasks: { results } }) => Object.values(results))) {
        const { id, thisRun, forecastTokens, usage } = result
        const tokens = totalTokens(usage)
        if (thisRun && forecastTokens !== null && tokens > 0) {
          tasks.set(id, { tokens, forecastTokens })
        }
      }
      return [...tasks.values()]
    },
  }
}
