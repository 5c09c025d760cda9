import { expect, it } from 'vitest'
import type { Classification, FailureReason, Strategy } from '../../../src/domain/run-state.ts'
import type { Settings } from '../../../src/domain/settings.ts'
import { proposeRecovery } from '../../../src/nodes/recover/propose-recovery.ts'
import { anAttempt, aState, fakePorts, someSettings } from '../../fakes/facts.ts'
import { createSilentPerson } from '../../fakes/silent-person.ts'

const classified = (reason: FailureReason): Classification => ({
  reason,
  explanation: 'Because.',
  by: 'pattern',
  installCommand: null,
  suppliedBy: [],
})

const propose = (
  reason: FailureReason,
  settings: Partial<Settings>,
  person = createSilentPerson(),
  retried: readonly string[] = [],
) =>
  proposeRecovery(
    aState({ attempt: anAttempt({ classification: classified(reason) }), retried }),
    fakePorts({ settings: { ...someSettings(), ...settings }, person }),
  )

it.each<[FailureReason, Strategy]>([
  ['missing_dependency', 'DEFER'],
  ['environment_issue', 'SKIP'],
  ['unknown', 'ESCALATE'],
  ['task_too_vague', 'ESCALATE'],
  ['task_too_complex', 'ESCALATE'],
])('propose_recovery answers %s by %s, on record', async (reason, strategy) => {
  const step = await propose(reason, { approvalMode: 'auto' })
  expect(step).toMatchObject({
    outcome: 'approved',
    patch: {
      attempt: { proposal: { strategy, reason } },
      recoveries: [{ taskId: 'T-1', decision: 'approved', by: 'approval-mode: auto' }],
    },
  })
})

it('propose_recovery defers no second time', async () => {
  const step = await propose('missing_dependency', {}, createSilentPerson(), ['T-1'])
  expect(step.patch?.attempt?.proposal?.strategy).toBe('ESCALATE')
})

it('propose_recovery asks a person who is there', async () => {
  const person = createSilentPerson('approve')
  const step = await propose('unknown', { approvalMode: 'interactive' }, person)
  expect(step.outcome).toBe('needs_approval')
  expect(step.patch).not.toHaveProperty('recoveries')
  expect(person.asked).toHaveLength(0)
})

it.each<[string, Partial<Settings>]>([
  ['where nothing may be published', { approvalMode: 'review_only' }],
  ['where recovery is switched off', { recovery: false }],
])('propose_recovery only logs %s, and the task has failed', async (_, settings) => {
  const step = await propose('unknown', settings)
  expect(step).toMatchObject({
    outcome: 'logged_only',
    patch: {
      results: { 'T-1': { verdict: 'failed', reason: 'Because.' } },
      recoveries: [{ decision: 'logged' }],
    },
  })
})

it('propose_recovery keeps a proposal that a person chose', async () => {
  const proposal = { strategy: 'DEFER', reason: 'unknown', explanation: 'Later.' } as const
  const step = await proposeRecovery(
    aState({ attempt: anAttempt({ proposal, classification: classified('unknown') }) }),
    fakePorts({ person: createSilentPerson() }),
  )
  expect(step.patch?.attempt?.proposal).toEqual(proposal)
})
