import { expect, it } from 'vitest'
import { joinPatches, type StatePatch } from '../../src/core/domain/change-state.ts'
import { combineRuns } from '../../src/runs/run-results.ts'
import { sampleResult, sampleState } from '../contracts/run-state.ts'
import { aState, usageOf } from '../fakes/facts.ts'

const finished = (id: string, thisRun: boolean) => ({ [id]: sampleResult(id, { thisRun }) })

it('keeps who did what: a task that a later run only found was done by the earlier one', () => {
  const first = aState({
    tasks: { results: { ...finished('T-1', true), ...finished('T-2', false) } },
  })
  const second = aState({
    tasks: { results: { ...finished('T-1', false), ...finished('T-3', true) } },
  })
  const { results } = combineRuns(first, second).tasks
  expect(Object.values(results).map(({ id, thisRun }) => [id, thisRun])).toEqual([
    ['T-1', true],
    ['T-2', false],
    ['T-3', true],
  ])
})

it('counts a task that both worked on as the later one left it', () => {
  const first = aState({
    tasks: { results: { 'T-1': sampleResult('T-1', { verdict: 'waiting' }) } },
  })
  const second = aState({ tasks: { results: { 'T-1': sampleResult('T-1', { verdict: 'done' }) } } })
  expect(combineRuns(first, second).tasks.results['T-1']?.verdict).toBe('done')
})

it('adds up what was used, node by node, and forgets no error and no limit', () => {
  const usage = usageOf(100)
  const nodes = { execute_task: { calls: 1, seconds: 1, usage } }
  const one = (facts: StatePatch) =>
    aState(joinPatches({ spent: { usage, seconds: 2, nodes } }, facts))
  const error = { code: 'no_model' as const, message: 'm', next: 'n', taskId: null }
  const all = combineRuns(
    one({
      run: { startedAt: 'first' },
      progress: { limits: ['2 tasks'], stopped: 'limit' },
      record: { errors: [error] },
    }),
    one({ run: { startedAt: 'second' }, progress: { limits: ['2 tasks'] } }),
    one({ spent: { nodes: { plan_task: { calls: 1, seconds: 1, usage } } } }),
  )
  expect(all).toMatchObject({
    run: { startedAt: 'first' },
    spent: {
      seconds: 6,
      usage: { requests: 3 * usage.requests, promptTokens: 3 * usage.promptTokens },
      nodes: { execute_task: { calls: 2, seconds: 2 }, plan_task: { calls: 1 } },
    },
    record: { errors: [error] },
    progress: { limits: ['2 tasks'], stopped: 'limit' },
  })
})

it('is the run itself when there is only one', () => {
  expect(combineRuns(sampleState())).toEqual(sampleState())
})
