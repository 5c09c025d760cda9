import { expect, it } from 'vitest'
import type { FailureReason, Strategy } from '../../../src/core/domain/attempt.ts'
import type { ApprovalMode } from '../../../src/core/domain/settings.ts'
import { chooseStrategy, mustAsk } from '../../../src/recovery/task/choose-strategy.ts'
import { anAttempt } from '../../fakes/facts.ts'

const classified = (reason: FailureReason) =>
  anAttempt({
    classification: {
      reason,
      explanation: 'Why.',
      by: 'pattern',
      installCommand: null,
      suppliedBy: [],
    },
  })

it.each<[FailureReason, readonly string[], Strategy, RegExp]>([
  ['missing_dependency', [], 'DEFER', /^Why\.$/],
  ['missing_dependency', ['T-1'], 'ESCALATE', /^Why\.$/],
  ['missing_dependency', ['T-2'], 'DEFER', /^Why\.$/],
  ['environment_issue', [], 'SKIP', /^Why\.$/],
  ['task_too_vague', [], 'REWRITE', /^Why\.$/],
  ['task_too_complex', [], 'DECOMPOSE', /^Why\.$/],
  ['unknown', [], 'ESCALATE', /^Why\.$/],
])('%s with %j retried is met by %s', (reason, retried, strategy, explanation) => {
  expect(chooseStrategy(classified(reason), retried)).toEqual({
    strategy,
    reason,
    tasks: [],
    explanation: expect.stringMatching(explanation),
  })
})

it('an attempt that nobody classified escalates', () => {
  expect(chooseStrategy(anAttempt(), [])).toEqual({
    strategy: 'ESCALATE',
    reason: 'unknown',
    explanation: 'It failed.',
    tasks: [],
  })
})

it.each<[ApprovalMode, boolean, Strategy, 'ask' | 'go' | 'log']>([
  ['auto', true, 'ESCALATE', 'go'],
  ['auto', true, 'DEFER', 'go'],
  ['interactive', true, 'DEFER', 'ask'],
  ['interactive', true, 'ESCALATE', 'ask'],
  ['interactive', false, 'ESCALATE', 'go'],
  ['interactive', false, 'SKIP', 'go'],
  ['approve_decompose', true, 'SKIP', 'go'],
  ['review_only', true, 'ESCALATE', 'log'],
  ['review_only', true, 'DEFER', 'go'],
  ['review_only', false, 'SKIP', 'go'],
  ['auto', false, 'DECOMPOSE', 'go'],
  ['interactive', false, 'DECOMPOSE', 'ask'],
  ['approve_decompose', false, 'DECOMPOSE', 'ask'],
  ['approve_decompose', false, 'REWRITE', 'go'],
  ['review_only', true, 'REWRITE', 'log'],
])('%s with a person there (%s): %s is to %s', (approvalMode, present, strategy, decision) => {
  expect(mustAsk({ strategy }, { approvalMode, recovery: true }, present)).toBe(decision)
})

it.each<ApprovalMode>(['auto', 'interactive', 'review_only'])(
  'without recovery all is logged (%s)',
  (approvalMode) => {
    for (const strategy of ['DEFER', 'SKIP', 'ESCALATE'] as const) {
      expect(mustAsk({ strategy }, { approvalMode, recovery: false }, true)).toBe('log')
    }
  },
)
