import { describe, expect, it } from 'vitest'
import type { RunState } from '../../src/domain/run-state.ts'
import type { Store } from '../../src/ports.ts'
import { sampleResult, sampleState } from './run-state.ts'

export interface StoreBench {
  readonly store: Store
  /** The store as the next process finds it. */
  reopen(): Store
  /** A report as it was written. */
  report(name: string): Promise<string>
}

type Use = (test: (bench: StoreBench) => Promise<void>) => Promise<void>

const results = (...ids: readonly string[]): RunState['results'] =>
  Object.fromEntries(ids.map((id) => [id, sampleResult(id)]))

/** The promises of the Store port. `use` makes an empty one, and cleans up after. */
export function testStoreContract(name: string, use: Use): void {
  describe(`${name} keeps the Store contract`, () => {
    it('has nothing at first', () =>
      use(async ({ store }) => {
        expect(await store.load()).toEqual({ status: 'none' })
      }))

    it.each<[string, RunState]>([
      ['a run in the middle of a task', sampleState()],
      ['a run between tasks', sampleState({ attempt: null, parked: {}, results: {}, only: null })],
      ['a finished run', sampleState({ completedAt: '2026-01-02T04:00:00.000Z', next: 'END' })],
    ])('gives back %s, whole', (_, state) =>
      use(async ({ store, reopen }) => {
        await store.save(state)
        expect(await reopen().load()).toEqual({ status: 'loaded', state })
      }),
    )

    it('follows the results as they come, change and go', () =>
      use(async ({ store, reopen }) => {
        const first = sampleState({ results: results('T-1', 'T-2') })
        const deferred = sampleResult('T-2', { verdict: 'deferred' })
        const second = {
          ...first,
          results: { ...first.results, 'T-2': deferred, ...results('T-3') },
        }
        const { 'T-2': _, ...kept } = second.results
        const third = { ...second, next: 'retry_deferred', results: kept }
        for (const state of [first, second, third]) {
          await store.save(state)
          expect(await reopen().load()).toEqual({ status: 'loaded', state })
        }
        const next = reopen()
        await next.load()
        const fourth = { ...third, results: { ...third.results, ...results('T-2') } }
        await next.save(fourth)
        expect(await reopen().load()).toEqual({ status: 'loaded', state: fourth })
      }))

    it('holds one run: a new one replaces the old', () =>
      use(async ({ store, reopen }) => {
        await store.save(sampleState({ results: results('T-1', 'T-2') }))
        const fresh = sampleState({ runId: 'run-2', results: {} })
        const next = reopen()
        await next.save(fresh)
        expect(await reopen().load()).toEqual({ status: 'loaded', state: fresh })
        const later = { ...fresh, results: results('T-2') }
        await next.save(later)
        expect(await reopen().load()).toEqual({ status: 'loaded', state: later })
      }))

    it('keeps the order of saves that were not waited for', () =>
      use(async ({ store, reopen }) => {
        const states = ['a', 'b', 'c'].map((next) => sampleState({ next, results: results(next) }))
        await Promise.all(states.map((state) => store.save(state)))
        expect(await reopen().load()).toEqual({ status: 'loaded', state: states[2] })
      }))

    it('replaces a report whole', () =>
      use(async ({ store, report }) => {
        await store.writeReport('report.md', 'a long report\n')
        expect(await store.writeReport('report.md', 'short')).toMatch(/report\.md$/)
        expect(await report('report.md')).toBe('short')
      }))

    it('keeps what a failed attempt wrote', () =>
      use(async ({ store, report }) => {
        expect(await store.writeReport('attempts/T-1.md', 'tried')).toMatch(/attempts\/T-1\.md$/)
        expect(await report('attempts/T-1.md')).toBe('tried')
      }))
  })
}
