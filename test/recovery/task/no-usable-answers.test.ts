import { describe, expect, it } from 'vitest'
import type { TaskResult } from '../../../src/core/domain/verdict.ts'
import { howToGoOn } from '../../../src/model/budget/run-limits.ts'
import { noUsableAnswers } from '../../../src/recovery/task/no-usable-answers.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { usageOf } from '../../fakes/facts.ts'

const hopeless = { unusable: true, verdict: 'failed' } as const
const endAfter = (...facts: readonly Partial<TaskResult>[]) =>
  noUsableAnswers(
    {
      tasks: {
        results: Object.fromEntries(
          facts.map((each, n) => {
            const usage = { ...usageOf(2_000), requests: 3 }
            const tried = { thisRun: true, attempts: 1, usage }
            return [`T-${n + 1}`, sampleResult(`T-${n + 1}`, { ...tried, ...each })]
          }),
        ),
      },
      progress: { limits: [] },
    },
    'tiny',
  )

describe('three tasks in a row without a usable answer', () => {
  it('end the run under a limit of their own, with the figures, and another model resumes it', () => {
    const ended = endAfter({}, hopeless, hopeless, hopeless)
    const sentence =
      '3 tasks in a row brought no usable answer: 9 requests, 6,000 tokens; tiny may be too weak for them (no_usable_answers)'
    expect(ended).toEqual({
      ids: ['T-2', 'T-3', 'T-4'],
      patch: { progress: { limits: [sentence], stopped: 'limit' } },
    })
    expect(howToGoOn([sentence])).toContain('--model NAME')
  })

  it.each<[string, readonly Partial<TaskResult>[]]>([
    ['two', [hopeless, hopeless]],
    ['one whose answer could be tested', [hopeless, hopeless, { verdict: 'failed' }, hopeless]],
    ['one of an earlier run', [hopeless, hopeless, { ...hopeless, thisRun: false }]],
    ['one that was never tried', [hopeless, hopeless, { ...hopeless, attempts: 0 }]],
  ])('are not %s', (_, facts) => expect(endAfter(...facts)).toBeNull())
})
