import { describe, expect, it } from 'vitest'
import { changeState } from '../../src/core/domain/change-state.ts'
import type { RunState } from '../../src/core/domain/run-state.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { sampleResult, sampleState } from './run-state.ts'

export interface StoreBench {
  readonly store: Store
  /** The store as the next process finds it. */
  reopen(): Store
  /** A report as it was written. */
  report(name: string): Promise<string>
}

type Use = (test: (bench: StoreBench) => Promise<void>) => Promise<void>

const results = (...ids: readonly string[]): RunState['tasks']['results'] =>
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
      [
        'a run between tasks',
        sampleState({ attempt: null, tasks: { parked: {}, results: {} }, run: { only: null } }),
      ],
      [
        'a finished run',
        sampleState({
          run: { completedAt: '2026-01-02T04:00:00.000Z' },
          progress: { next: 'END' },
        }),
      ],
    ])('gives back %s, whole', (_, state) =>
      use(async ({ store, reopen }) => {
        await store.save(state)
        expect(await reopen().load()).toEqual({ status: 'loaded', state })
      }),
    )

    it('follows the results as they come, change and go', () =>
      use(async ({ store, reopen }) => {
        const first = sampleState({ tasks: { results: results('T-1', 'T-2') } })
        const deferred = sampleResult('T-2', { verdict: 'deferred' })
        const second = changeState(first, {
          tasks: { results: { ...first.tasks.results, 'T-2': deferred, ...results('T-3') } },
        })
        const { 'T-2': _, ...kept } = second.tasks.results
        const third = changeState(second, {
          progress: { next: 'retry_deferred' as const },
          tasks: { results: kept },
        })
        for (const state of [first, second, third]) {
          await store.save(state)
          expect(await reopen().load()).toEqual({ status: 'loaded', state })
        }
        const next = reopen()
        await next.load()
        const fourth = changeState(third, {
          tasks: { results: { ...third.tasks.results, ...results('T-2') } },
        })
        await next.save(fourth)
        expect(await reopen().load()).toEqual({ status: 'loaded', state: fourth })
      }))

    it('holds one run: a new one replaces the old', () =>
      use(async ({ store, reopen }) => {
        await store.save(sampleState({ tasks: { results: results('T-1', 'T-2') } }))
        const fresh = sampleState({ run: { id: 'run-2' }, tasks: { results: {} } })
        const next = reopen()
        await next.save(fresh)
        expect(await reopen().load()).toEqual({ status: 'loaded', state: fresh })
        const later = changeState(fresh, { tasks: { results: results('T-2') } })
        await next.save(later)
        expect(await reopen().load()).toEqual({ status: 'loaded', state: later })
      }))

    it('keeps the order of saves that were not waited for', () =>
      use(async ({ store, reopen }) => {
        const states = ['a', 'b', 'c'].map((id) => sampleState({ tasks: { results: results(id) } }))
        await Promise.all(states.map((state) => store.save(state)))
        expect(await reopen().load()).toEqual({ status: 'loaded', state: states[2] })
      }))

    it('sums up what was spent on a day, by this process and earlier ones', () =>
      use(async ({ store, reopen }) => {
        const nothing = { tokens: 0, dollars: 0, unreadable: null }
        expect(await store.spendingOn('2026-01-31')).toEqual(nothing)
        await store.recordSpending({ at: '2026-01-31T00:00:00.000Z', tokens: 700, dollars: 0.25 })
        await store.recordSpending({ at: '2026-01-31T23:59:59.999Z', tokens: 30, dollars: 0 })
        await store.recordSpending({ at: '2026-02-01T00:00:00.000Z', tokens: 5, dollars: 4 })
        const later = reopen()
        await later.recordSpending({ at: '2026-01-31T12:00:00.000Z', tokens: 4, dollars: 0.5 })
        const sum = { tokens: 734, dollars: 0.75, unreadable: null }
        expect(await later.spendingOn('2026-01-31')).toEqual(sum)
        expect(await reopen().spendingOn('2026-01-31')).toEqual(sum)
        expect(await reopen().spendingOn('2026-02-01')).toMatchObject({ tokens: 5, dollars: 4 })
      }))

    it('loses no spending of calls that end together', () =>
      use(async ({ store, reopen }) => {
        const at = '2026-01-31T12:00:00.000Z'
        const calls = Array.from({ length: 20 }, () => ({ at, tokens: 3, dollars: 0 }))
        await Promise.all(calls.map((call) => store.recordSpending(call)))
        expect(await reopen().spendingOn('2026-01-31')).toMatchObject({ tokens: 60 })
      }))

    it('knows the tasks that runs have finished, each by its last result', () =>
      use(async ({ store, reopen }) => {
        expect(await store.pastTasks()).toEqual([])
        const worked = (forecastTokens: number | null) => ({
          ...sampleResult('T-1'),
          forecastTokens,
        })
        await store.save(
          sampleState({ tasks: { results: { 'T-1': worked(500), 'T-2': sampleResult('T-2') } } }),
        )
        const next = reopen()
        const found = { thisRun: false, forecastTokens: 9 }
        await next.save(
          sampleState({
            run: { id: 'run-2' },
            tasks: {
              results: {
                'T-1': worked(400),
                'T-2': sampleResult('T-2', found),
                'T-3': sampleResult('T-3', { forecastTokens: null }),
              },
            },
          }),
        )
        expect(await reopen().pastTasks()).toEqual([
          { tokens: 720, forecastTokens: 400 },
          { tokens: 720, forecastTokens: 640 },
        ])
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
