import { expect, it } from 'vitest'
import type { Decision } from '../../../src/core/domain/run-state.ts'
import type { Verdict } from '../../../src/core/domain/verdict.ts'
import { isLost } from '../../../src/recovery/task/is-lost.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { anAttempt, aState } from '../../fakes/facts.ts'

const proposal = { strategy: 'ESCALATE', reason: 'unknown', explanation: '', tasks: [] } as const

it.each<[Verdict, Decision | null, boolean]>([
  ['failed', null, true],
  ['failed', 'logged', true],
  ['failed', 'approved', true],
  // The question could not be asked; the next run asks it.
  ['failed', 'waiting', false],
  ['rejected', 'rejected', true],
  ['rejected', null, true],
  ['skipped', 'rejected', true],
  // This machine lacks something.
  ['skipped', 'approved', false],
  ['skipped', null, false],
  ['deferred', 'approved', false],
  ['waiting', 'waiting', false],
  ['over_budget', null, false],
  ['replaced', 'approved', false],
  ['in_review', null, false],
])('a task that is %s after the decision %s is lost: %s', (verdict, decision, expected) => {
  const attempt = anAttempt({})
  const { id: taskId } = attempt.task
  const recoveries = decision === null ? [] : [{ taskId, proposal, decision, by: 'ada', at: '' }]
  const other = { taskId: 'T-99', proposal, decision: 'rejected', by: 'ada', at: '' } as const
  const state = aState({
    tasks: { results: { [taskId]: sampleResult(taskId, { verdict }) } },
    record: { recoveries: [...recoveries, other] },
  })
  expect(isLost(attempt, state)).toBe(expected)
  const feedback = { by: 'ada', text: 'Again', threads: [] }
  if (verdict === 'failed') expect(isLost({ ...attempt, feedback }, state)).toBe(false)
})
