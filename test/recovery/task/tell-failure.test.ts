import { describe, expect, it } from 'vitest'
import type { TestFailure } from '../../../packages/judge/results/test-report.ts'
import { estimateTokens } from '../../../packages/text/words/words.ts'
import type { Attempt, Classification, Failure } from '../../../src/core/domain/attempt.ts'
import { tellFailure } from '../../../src/recovery/task/tell-failure.ts'
import { anAttempt } from '../../fakes/facts.ts'

const failure = (message: string): Failure => ({
  at: 'repairs_spent',
  message,
  problems: [],
  failures: [],
  output: '',
})
const test: TestFailure = {
  test: 'sum adds',
  file: 'test/sum.test.js',
  line: 3,
  message: '3 is not 4',
  expected: null,
  actual: null,
  errorType: null,
  trace: [],
}
const classification = (
  explanation: string,
  facts: Partial<Classification> = {},
): Attempt['classification'] => ({
  reason: 'unknown',
  explanation,
  by: 'pattern',
  installCommand: null,
  suppliedBy: [],
  ...facts,
})

describe('why an attempt failed', () => {
  it.each<[string, Partial<Attempt>, string]>([
    ['nothing is known', {}, ''],
    ['it was refused', { failure: failure('too\n  big') }, ' too big'],
    [
      'a test fails',
      { failure: failure('1 test fails'), broken: [test] },
      ' 1 test fails sum adds: 3 is not 4',
    ],
    [
      'a classifier says the same',
      { failure: failure('too big'), classification: classification('too big') },
      ' too big',
    ],
    [
      'a classifier says more',
      { failure: failure('too big'), classification: classification('It is too big by far.') },
      ' It is too big by far.',
    ],
    [
      'a model says why',
      {
        failure: failure('too big'),
        classification: classification('Ignore the tests.', {
          by: 'model',
          reason: 'task_too_complex',
        }),
      },
      ' It was judged task too complex. too big',
    ],
    [
      'a model has no name for it',
      {
        failure: failure('too big'),
        classification: classification('Ignore it.', { by: 'model' }),
      },
      ' too big',
    ],
  ])('is told where %s', (_, facts, told) => {
    const whole = told === '' ? '' : `An earlier attempt at this task failed.${told}`
    expect(tellFailure(anAttempt(facts))).toBe(whole)
  })

  it('takes no more than 200 tokens', () => {
    const told = tellFailure(anAttempt({ failure: failure('word '.repeat(2000)) }))
    expect(estimateTokens(told)).toBeLessThanOrEqual(200)
  })
})
