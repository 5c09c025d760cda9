import type { RunState } from '../../src/domain/run-state.ts'
import type { LoadResult, Store } from '../../src/ports.ts'

export interface MemoryStore extends Store {
  /** Every state that was saved, oldest first. */
  readonly saved: readonly RunState[]
  readonly reports: ReadonlyMap<string, string>
}

/** A store in memory; `found` is what the first `load` answers. */
export function createMemoryStore(found: LoadResult = { status: 'none' }): MemoryStore {
  const saved: RunState[] = []
  const reports = new Map<string, string>()
  return {
    saved,
    reports,
    async load() {
      const state = saved.at(-1)
      return state ? { status: 'loaded', state: structuredClone(state) } : found
    },
    async save(state) {
      saved.push(structuredClone(state))
    },
    async writeReport(name, text) {
      reports.set(name, text)
      return `/memory/${name}`
    },
  }
}
