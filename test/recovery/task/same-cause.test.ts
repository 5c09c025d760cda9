import { describe, expect, it } from 'vitest'
import type { CodeProblem } from '../../../packages/change/change.ts'
import type { Diagnosis } from '../../../packages/diagnosis/command-fault.ts'
import { failureSaying } from '../../../packages/judge/compare/read-outcome.ts'
import type { Attempt, Classification, Failure } from '../../../src/core/domain/attempt.ts'
import { fileVerdict } from '../../../src/core/domain/change-state.ts'
import { causeOf, errorOf, sameCause, sameError } from '../../../src/recovery/task/same-cause.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { anAttempt, aState } from '../../fakes/facts.ts'

const lack = (message: string, facts: Partial<Diagnosis> = {}): Diagnosis => ({
  ...{ kind: 'set-up', message, file: null, line: null, lacks: null, install: null },
  ...facts,
})
const failed = (at: Failure['at'], diagnosis: Diagnosis): Failure => ({
  ...{ at, message: 'It failed.', problems: [], failures: [], output: '', diagnosis },
})
const pip = lack('pip install failed')
const yaml = lack("The package 'yaml' is not installed.", { lacks: 'yaml' })
const judged = (facts: Partial<Classification>): Classification => ({
  reason: 'environment_issue',
  explanation: "The package 'yaml' is not installed.",
  by: 'pattern',
  installCommand: null,
  suppliedBy: [],
  ...facts,
})

describe('the cause of a verdict', () => {
  it.each<[string, Partial<Attempt>, Diagnosis | undefined]>([
    ['a package', { classification: judged({ diagnosis: yaml }) }, yaml],
    ['a set-up', { failure: failed('cannot_run', pip) }, pip],
    [
      'a run that was killed',
      { failure: failed('cannot_run', { ...pip, kind: 'killed' }) },
      { ...pip, kind: 'killed' },
    ],
    ['tests', { failure: failed('repairs_spent', { ...pip, kind: 'test' }) }, undefined],
    [
      'a change that hangs',
      { failure: failed('repairs_spent', { ...pip, kind: 'killed' }) },
      undefined,
    ],
    ['what a model guesses', { classification: judged({ by: 'model' }) }, undefined],
    [
      'another task',
      {
        failure: failed('cannot_run', pip),
        classification: judged({ reason: 'missing_dependency' }),
      },
      undefined,
    ],
  ])('of %s', (_, facts, cause) => expect(causeOf(anAttempt(facts))).toEqual(cause))
})

describe('five verdicts in a row', () => {
  const afterVerdicts = (causes: readonly (string | undefined)[]) => {
    const results = causes.map((cause, n) => {
      const diagnosis = cause === undefined ? cause : lack(`${n}`, { lacks: cause })
      const reason = `for ${cause}`
      const facts = { verdict: 'skipped', diagnosis, reason, thisRun: true } as const
      return [`T-${n}`, sampleResult(`T-${n}`, { ...facts, attempts: 1 })]
    })
    return sameCause({
      tasks: { results: Object.fromEntries(results) },
      progress: { limits: [] },
      record: { errors: [] },
    })
  }

  it.each([
    ['four', ['a', 'a', 'a', 'a']],
    ['two causes', ['a', 'a', 'b', 'a', 'a', 'a']],
    ['a task that was done between', ['a', 'a', 'a', undefined, 'a', 'a']],
    ['tests', [undefined, undefined, undefined, undefined, undefined]],
  ])('go on after %s', (_, causes) => expect(afterVerdicts(causes)).toBeNull())

  it('of one cause end the run, and say it', () => {
    expect(afterVerdicts(['b', 'a', 'a', 'a', 'a', 'a'])).toMatchObject({
      progress: { limits: ['same_cause'] },
      record: { errors: [{ code: 'same_cause', message: expect.stringContaining('for a') }] },
    })
  })

  it('are the last five, though one of their tasks had another verdict before', () => {
    const attempt = anAttempt()
    const { id } = attempt.task
    const facts = { verdict: 'skipped', diagnosis: pip, thisRun: true, attempts: 1 } as const
    const others = [1, 2, 3, 4, 5].map((n) => [`T-${n}0`, sampleResult(`T-${n}0`, facts)] as const)
    const results = Object.fromEntries([[id, sampleResult(id, facts)], ...others])
    const filed = fileVerdict(aState({ attempt, tasks: { results } }), 'failed')
    expect(Object.keys(filed.tasks?.results ?? {}).at(-1)).toBe(id)
    expect(sameCause(aState(filed))).toBeNull()
  })
})

describe('the error that an attempt ends on', () => {
  const unexpected = (path: string, line: number): CodeProblem => ({
    ...{ path, line, column: 1, type: 'syntax' },
    message: `Unexpected token (${line}:7)`,
  })
  const spent = (
    problems: readonly CodeProblem[],
    at: Failure['at'] = 'repairs_spent',
  ): Failure => ({
    ...{ at, message: 'It failed.', problems, failures: [], output: '' },
  })
  const loads = failureSaying('a', "Cannot find module 'x'\n  at b.js")
  const adds = { ...failureSaying('adds', '1 !== 2'), errorType: 'AssertionError' }

  it('of the code is one in any file and line', () => {
    const [one, other] = [unexpected('a.js', 3), unexpected('b/c.js', 90)].map((problem) =>
      errorOf(anAttempt({ failure: spent([problem]) })),
    )
    expect(one).toBeDefined()
    expect(one).toBe(other)
  })

  it.each<[string, Partial<Attempt>, string | undefined]>([
    [
      'a test that throws',
      { failure: spent([]), broken: [loads] },
      "Cannot find module 'x' at b.js",
    ],
    ['an assertion', { failure: spent([]), broken: [adds] }, 'adds: 1 !== 2'],
    ['a set-up', { failure: spent([], 'cannot_run'), broken: [loads] }, undefined],
    ['nothing', {}, undefined],
  ])('of %s', (_, facts, error) => expect(errorOf(anAttempt(facts))).toBe(error))
})

describe('three tasks in a row', () => {
  const endsAfter = (errors: readonly (string | undefined)[]) => {
    const results = errors.map((error, n) => {
      const facts = {
        verdict: error === undefined ? 'done' : 'failed',
        reason: `${error} in T-${n}`,
      } as const
      return [
        `T-${n}`,
        sampleResult(`T-${n}`, {
          ...{ ...facts, thisRun: true, attempts: 1 },
          ...(error !== undefined && { endedOn: error }),
        }),
      ]
    })
    const facts = { tasks: { results: Object.fromEntries(results) }, progress: { limits: [] } }
    return sameError(facts)?.progress
  }

  it.each([
    ['two', ['a', 'a']],
    ['different ones', ['a', 'a', 'b']],
    ['one that is done', ['a', 'a', undefined, 'a']],
    ['none', [undefined, undefined, undefined]],
  ])('do not end the run for %s', (_, errors) => expect(endsAfter(errors)).toBeUndefined())

  it('that end on one error end the run, which names them', () => {
    expect(endsAfter(['b', 'a', 'a', 'a'])).toEqual({
      stopped: 'limit',
      limits: ['T-1, T-2, T-3 ended on the same error: a in T-1 (same_error)'],
    })
  })
})
