import { describe, expect, it } from 'vitest'
import { fileVerdict } from '../../../src/core/domain/attempt.ts'
import type { Attempt, Classification, Failure } from '../../../src/core/domain/run-state.ts'
import { causeOf, sameCause } from '../../../src/recovery/task/same-cause.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { anAttempt, aState } from '../../fakes/facts.ts'

const failed = (at: string): Failure => ({
  at,
  message: 'pip install failed',
  problems: [],
  failures: [],
  output: '',
})
const judged = (facts: Partial<Classification>): Classification => ({
  reason: 'environment_issue',
  explanation: "The package 'yaml' is not installed.",
  by: 'pattern',
  installCommand: null,
  suppliedBy: [],
  ...facts,
})

describe('the cause of a verdict', () => {
  it.each<[string, Partial<Attempt>, string | undefined]>([
    ['a package', { classification: judged({ installCommand: 'npm install x' }) }, 'npm install x'],
    ['a program', { classification: judged({ explanation: 'go: not found' }) }, 'go: not found'],
    ['a set-up', { failure: failed('cannot_run') }, 'pip install failed'],
    ['tests', { failure: failed('repairs_spent') }, undefined],
    ['what a model guesses', { classification: judged({ by: 'model' }) }, undefined],
    [
      'another task',
      { failure: failed('cannot_run'), classification: judged({ reason: 'missing_dependency' }) },
      undefined,
    ],
  ])('of %s', (_, facts, cause) => expect(causeOf(anAttempt(facts))).toBe(cause))
})

describe('five verdicts in a row', () => {
  const afterVerdicts = (causes: readonly (string | undefined)[]) => {
    const results = causes.map((cause, n) => {
      const facts = { verdict: 'skipped', cause, reason: `for ${cause}`, thisRun: true } as const
      return [`T-${n}`, sampleResult(`T-${n}`, { ...facts, attempts: 1 })]
    })
    return sameCause({ results: Object.fromEntries(results), limits: [], errors: [] })
  }

  it.each([
    ['four', ['a', 'a', 'a', 'a']],
    ['two causes', ['a', 'a', 'b', 'a', 'a', 'a']],
    ['a task that was done between', ['a', 'a', 'a', undefined, 'a', 'a']],
    ['tests', [undefined, undefined, undefined, undefined, undefined]],
  ])('go on after %s', (_, causes) => expect(afterVerdicts(causes)).toBeNull())

  it('of one cause end the run, and say it', () => {
    expect(afterVerdicts(['b', 'a', 'a', 'a', 'a', 'a'])).toMatchObject({
      limits: ['same_cause'],
      errors: [{ code: 'same_cause', message: expect.stringContaining('for a') }],
    })
  })

  it('are the last five, though one of their tasks had another verdict before', () => {
    const attempt = anAttempt()
    const { id } = attempt.task
    const facts = { verdict: 'skipped', cause: 'a', thisRun: true, attempts: 1 } as const
    const others = [1, 2, 3, 4, 5].map((n) => [`T-${n}0`, sampleResult(`T-${n}0`, facts)] as const)
    const results = Object.fromEntries([[id, sampleResult(id, facts)], ...others])
    const filed = fileVerdict(aState({ attempt, results }), 'failed')
    expect(Object.keys(filed.results).at(-1)).toBe(id)
    expect(sameCause({ ...filed, limits: [], errors: [] })).toBeNull()
  })
})
