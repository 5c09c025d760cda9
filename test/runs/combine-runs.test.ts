import { expect, it } from 'vitest'
import { combineRuns } from '../../src/runs/combine-runs.ts'
import { sampleResult, sampleState } from '../contracts/run-state.ts'
import { aState, usageOf } from '../fakes/facts.ts'

const finished = (id: string, thisRun: boolean) => ({ [id]: sampleResult(id, { thisRun }) })

it('keeps who did what: a task that a later run only found was done by the earlier one', () => {
  const first = aState({ results: { ...finished('T-1', true), ...finished('T-2', false) } })
  const second = aState({ results: { ...finished('T-1', false), ...finished('T-3', true) } })
  const { results } = combineRuns(first, second)
  expect(Object.values(results).map(({ id, thisRun }) => [id, thisRun])).toEqual([
    ['T-1', true],
    ['T-2', false],
    ['T-3', true],
  ])
})

it('counts a task that both worked on as the later one left it', () => {
  const first = aState({ results: { 'T-1': sampleResult('T-1', { verdict: 'waiting' }) } })
  const second = aState({ results: { 'T-1': sampleResult('T-1', { verdict: 'done' }) } })
  expect(combineRuns(first, second).results['T-1']?.verdict).toBe('done')
})

it('adds up what was used, node by node, and forgets no error and no limit', () => {
  const usage = usageOf(100)
  const one = (facts: object) =>
    aState({
      usage,
      seconds: 2,
      nodes: { execute_task: { calls: 1, seconds: 1, usage } },
      ...facts,
    })
  const error = { code: 'no_model' as const, message: 'm', next: 'n', taskId: null }
  const all = combineRuns(
    one({ errors: [error], limits: ['2 tasks'], stopped: 'limit', startedAt: 'first' }),
    one({ limits: ['2 tasks'], startedAt: 'second' }),
    one({ nodes: { plan_task: { calls: 1, seconds: 1, usage } } }),
  )
  expect(all).toMatchObject({
    startedAt: 'first',
    seconds: 6,
    usage: { requests: 3 * usage.requests, promptTokens: 3 * usage.promptTokens },
    nodes: { execute_task: { calls: 2, seconds: 2 }, plan_task: { calls: 1 } },
    errors: [error],
    limits: ['2 tasks'],
    stopped: 'limit',
  })
})

it('is the run itself when there is only one', () => {
  expect(combineRuns(sampleState())).toEqual(sampleState())
})
