import { expect, it } from 'vitest'
import { retryDeferred } from '../../../../src/graph/nodes/finish/retry-deferred.ts'
import { sampleResult } from '../../../contracts/run-state.ts'
import { aState } from '../../../fakes/facts.ts'

const results = {
  'T-1': sampleResult('T-1', { verdict: 'deferred' }),
  'T-2': sampleResult('T-2', { verdict: 'failed' }),
  'T-3': sampleResult('T-3', { verdict: 'deferred' }),
}

it('retry_deferred gives each deferred task one more turn', async () => {
  const step = await retryDeferred(aState({ tasks: { results } }))
  expect(step).toEqual({
    outcome: 'requeued',
    patch: { tasks: { results: { 'T-2': results['T-2'] }, retried: ['T-1', 'T-3'] } },
  })
})

it('retry_deferred gives none a third', async () => {
  const step = await retryDeferred(aState({ tasks: { results, retried: ['T-1', 'T-3'] } }))
  expect(step).toEqual({ outcome: 'nothing_left' })
})

it('retry_deferred keeps the verdict of one that had its turn', async () => {
  const step = await retryDeferred(aState({ tasks: { results, retried: ['T-3'] } }))
  expect(Object.keys(step.patch?.tasks?.results ?? {})).toEqual(['T-2', 'T-3'])
})
