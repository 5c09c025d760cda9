import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeState, type StatePatch } from '../../../src/core/domain/change-state.ts'
import { mergeStates } from '../../../src/core/domain/merge-states.ts'
import type { RunState } from '../../../src/core/domain/run-state.ts'
import { addUsage, noUsage } from '../../../src/core/domain/usage.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { aState, usageOf } from '../../fakes/facts.ts'
import { runs } from '../../property-runs.ts'

type Change = (state: RunState) => StatePatch

const result = (id: string, verdict: 'done' | 'failed' | 'waiting' = 'done') =>
  sampleResult(id, { verdict })

/** What a step of this task may do to each fact that lanes share. */
const changesOf = (id: string): readonly Change[] => {
  const error = { code: 'no_model', message: id, next: '', taskId: id } as const
  const hidden = { taskId: id, path: null, channel: 'comment', line: 1, excerpt: id } as const
  return [
    ({ tasks: { results } }) => {
      const { [id]: _, ...others } = results
      return { tasks: { results: { ...others, [id]: result(id, 'waiting') } } }
    },
    ({ tasks: { results } }) => ({ tasks: { results: { ...results, [id]: result(id) } } }),
    ({ tasks: { results } }) => {
      const { [id]: _, ...others } = results
      return { tasks: { results: others } }
    },
    ({ tasks: { heads } }) => ({ tasks: { heads: { ...heads, [`agent/${id}`]: `sha of ${id}` } } }),
    ({ tasks: { leases } }) => ({ tasks: { leases: { ...leases, [id]: 'another' } } }),
    ({ tasks: { failedBefore } }) => {
      const { [id]: _, ...others } = failedBefore
      return { tasks: { failedBefore: others } }
    },
    ({ tasks: { retried } }) => ({ tasks: { retried: [...new Set([...retried, id])] } }),
    ({ asked: { answers } }) => {
      const { [id]: _, ...others } = answers
      return { asked: { answers: others } }
    },
    ({ record: { errors } }) => ({ record: { errors: [...errors, error] } }),
    ({ record: { hidden: known } }) => ({
      record: { hidden: known.some(({ taskId }) => taskId === id) ? known : [...known, hidden] },
    }),
    ({ roadmap: { changes } }) => ({ roadmap: { changes: [...changes, `${id} ticked`] } }),
    ({ progress: { limits } }) => ({ progress: { limits: [...new Set([...limits, 'a limit'])] } }),
    () => ({ progress: { stopped: 'limit' } }),
    ({ spent: { usage, nodes } }) => ({
      spent: {
        usage: addUsage(usage, usageOf(7)),
        nodes: {
          ...nodes,
          verify_task: {
            calls: (nodes.verify_task?.calls ?? 0) + 1,
            seconds: (nodes.verify_task?.seconds ?? 0) + 2,
            usage: addUsage(nodes.verify_task?.usage ?? noUsage, usageOf(7)),
          },
        },
      },
    }),
    ({ pullRequests: { opened, open } }) => ({
      pullRequests: { opened: opened + 1, open: [...new Set([...open, Number(id.slice(2))])] },
    }),
    ({ learned: { corrections } }) => ({
      learned: { corrections: { ...corrections, [id]: `do ${id}` } },
    }),
  ]
}

const start = aState({
  tasks: {
    results: { 'T-0': result('T-0') },
    failedBefore: { 'T-1': 'it failed', 'T-2': 'it failed', 'T-3': 'it failed' },
  },
  asked: {
    answers: Object.fromEntries(
      ['T-1', 'T-2', 'T-3'].map((id) => [
        id,
        { choice: 'retry', by: 'ann', at: null, text: '', tasks: [], sha: null } as const,
      ]),
    ),
  },
})

const tasks = ['T-1', 'T-2', 'T-3']

/** For each task, its steps by number, each of some changes. */
const work = fc.tuple(
  ...tasks.map((id) =>
    fc.array(fc.array(fc.nat(changesOf(id).length - 1), { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 5,
    }),
  ),
)

const play = (id: string, state: RunState, step: readonly number[]): RunState =>
  step.reduce((now, number) => changeState(now, changesOf(id)[number]?.(now)), state)

/** A state in which the order of records and lists does not count. */
const unordered = (value: unknown): unknown => {
  if (Array.isArray(value))
    return value
      .map(unordered)
      .map((each) => JSON.stringify(each))
      .sort()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, unordered(each)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

describe('states that several lanes have changed', () => {
  it('come to the same end as one task after another, however their steps overlap', () => {
    fc.assert(
      fc.property(work, fc.infiniteStream(fc.nat(5)), (steps, dice) => {
        const apart = steps.reduce(
          (state, own, task) =>
            own.reduce((now, step) => play(tasks[task] ?? '', now, step), state),
          start,
        )
        let now = start
        const left = steps.map((own) => [...own])
        const underWay: (RunState | null)[] = tasks.map(() => null)
        while (left.some((own) => own.length > 0)) {
          const lane = (dice.next().value ?? 0) % tasks.length
          const [step] = left[lane] ?? []
          if (step === undefined) continue
          const before = underWay[lane] ?? null
          if (before === null) {
            underWay[lane] = now
            continue
          }
          now = mergeStates(before, play(tasks[lane] ?? '', before, step), now)
          underWay[lane] = null
          left[lane]?.shift()
        }
        expect(unordered(now)).toEqual(unordered(apart))
      }),
      { numRuns: runs(2000) },
    )
  })

  const filed = (...ids: readonly string[]) => ({
    tasks: { results: Object.fromEntries(ids.map((id) => [id, result(id)])) },
  })

  it.each<[string, base: StatePatch, after: StatePatch, now: StatePatch, merged: StatePatch]>([
    [
      'put a verdict behind those that came meanwhile',
      filed('T-1'),
      filed('T-1', 'T-2'),
      filed('T-1', 'T-3'),
      filed('T-1', 'T-3', 'T-2'),
    ],
    [
      'put a renewed verdict behind them, too',
      filed('T-1', 'T-2'),
      filed('T-2', 'T-1'),
      filed('T-1', 'T-2', 'T-3'),
      filed('T-2', 'T-3', 'T-1'),
    ],
    [
      'keep the smaller of two windows that lanes learned',
      {},
      { learned: { windows: { m: 9000 } } },
      { learned: { windows: { m: 8000 } } },
      { learned: { windows: { m: 8000 } } },
    ],
    [
      'take a larger window that nothing contradicts',
      { learned: { windows: { m: 8000 } } },
      { learned: { windows: { m: 9000 } } },
      { learned: { windows: { m: 8000 } } },
      { learned: { windows: { m: 9000 } } },
    ],
    [
      'wait for a service rather than stop at a limit',
      {},
      { progress: { stopped: 'limit' } },
      { progress: { stopped: 'unavailable', retryAt: '2026-01-02' } },
      { progress: { stopped: 'unavailable', retryAt: '2026-01-02' } },
    ],
    [
      'come back at the later of two times',
      {},
      { progress: { retryAt: '2026-01-02T00:00:00Z' } },
      { progress: { retryAt: '2026-01-03T00:00:00Z' } },
      { progress: { retryAt: '2026-01-03T00:00:00Z' } },
    ],
    [
      'count equal errors of two lanes twice',
      {},
      { record: { errors: [{ code: 'no_model', message: 'm', next: '', taskId: null }] } },
      { record: { errors: [{ code: 'no_model', message: 'm', next: '', taskId: null }] } },
      {
        record: {
          errors: [1, 2].map(() => ({ code: 'no_model', message: 'm', next: '', taskId: null })),
        },
      },
    ],
    [
      'leave the position and the calls of another walk alone',
      {},
      { progress: { next: 'checkpoint', resumeAt: 'checkpoint' }, spent: { calls: 9 } },
      { progress: { next: 'pick_task' }, spent: { calls: 3 } },
      { progress: { next: 'pick_task' }, spent: { calls: 3 } },
    ],
  ])('%s', (_, base, after, now, merged) => {
    const found = mergeStates(aState(base), aState(after), aState(now))
    expect(found).toEqual(aState(merged))
    expect(Object.keys(found.tasks.results)).toEqual(Object.keys(aState(merged).tasks.results))
  })
})
