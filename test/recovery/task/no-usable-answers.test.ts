import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../../src/core/domain/attempt.ts'
import { newLoop } from '../../../src/core/domain/tool-loop.ts'
import type { TaskResult } from '../../../src/core/domain/verdict.ts'
import { howToGoOn } from '../../../src/model/budget/run-limits.ts'
import { isTooWeak, noUsableAnswers } from '../../../src/recovery/task/no-usable-answers.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { anAttempt, usageOf } from '../../fakes/facts.ts'

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

const tally = (usable: number, of: number): Partial<TaskResult> => ({
  verdict: 'failed',
  answers: { usable, of },
  ...(usable === 0 && { unusable: true }),
})

describe('a model of which hardly an answer can be used', () => {
  it('ends the run after two tasks, and leaves open what it brought nothing for', () => {
    const ended = endAfter(tally(3, 5), tally(0, 2))
    const sentence =
      '3 of 7 answers to 2 tasks could be used, and none is done: 6 requests, 4,000 tokens; tiny may be too weak for them (no_usable_answers)'
    expect(ended).toEqual({
      ids: ['T-2'],
      patch: { progress: { limits: [sentence], stopped: 'limit' } },
    })
  })

  it.each<[name: string, facts: readonly Partial<TaskResult>[]]>([
    ['six answers', [tally(1, 4), tally(1, 2)]],
    ['more than half', [tally(3, 4), tally(2, 4)]],
    ['one task', [tally(1, 8)]],
    ['a task that was done', [{ verdict: 'done' }, tally(1, 5), tally(1, 5)]],
    ['a task of an earlier run', [{ ...tally(1, 5), thisRun: false }, tally(1, 5)]],
    ['tasks without answers of their own', [tally(1, 5), { verdict: 'failed' }]],
  ])('not after %s', (_, facts) => expect(endAfter(...facts)).toBeNull())

  const problem = { path: 'src/a.js', type: 'syntax', message: 'no', line: 1, column: 1 } as const
  const attempt = (facts: Partial<Attempt>) => ({
    ...{ ...anAttempt(), validationRepairs: 1, problems: [problem] },
    ...facts,
  })
  it.each([
    ['another task brought as little', 'T-0', tally(3, 5), {}, true],
    [
      'a repair held no change',
      'T-0',
      tally(3, 5),
      { problems: [], testRepairs: 1, emptyRepairs: 1 },
      true,
    ],
    ['another task was done', 'T-0', { verdict: 'done', answers: { usable: 2, of: 5 } }, {}, false],
    ['the tries before were of this task', 'T-1', tally(3, 5), {}, false],
    ['this answer can be tested', 'T-0', tally(3, 5), { problems: [] }, false],
    ['tools write the change', 'T-0', tally(3, 5), { loop: newLoop }, false],
  ] as const)('is asked no more where %s', (_, id, before, facts, isOver) => {
    const tried = { thisRun: true, attempts: 1, ...before }
    const tasks = { results: { [id]: sampleResult(id, tried) } }
    expect(isTooWeak({ tasks }, attempt(facts))).toBe(isOver)
  })
})

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
