import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Draft } from '../../../packages/change/change-set.ts'
import { failureSaying } from '../../../packages/judge/compare/read-outcome.ts'
import { nothingRun } from '../../../packages/judge/verdict/nothing-run.ts'
import type { AnswerForm, TriedRequest } from '../../../src/core/domain/answer-form.ts'
import type { ContextFile } from '../../../src/core/domain/attempt.ts'
import {
  afterRed,
  afterUnusable,
  mayRepairCode,
  mayTryAgain,
} from '../../../src/recovery/step/next-request.ts'
import { anAttempt, someSettings } from '../../fakes/facts.ts'

const tried = (
  form: AnswerForm,
  sample = 0,
  rung: TriedRequest['rung'] = sample > 0 ? 'sample' : 'first',
): TriedRequest => ({ rung, form, sample, why: '' })

const shown: ContextFile = { path: 'src/a.js', text: 'export {}\n', whole: true }
const outline: ContextFile = { ...shown, whole: false }
const testOutline: ContextFile = { ...outline, path: 'test/a.test.js' }

const unusable = { path: 'src/a.js', reason: 'no such line', excerpt: '' }
const draft = (facts: Partial<Draft> = {}): Draft => ({
  ...{ changes: [], refusals: [unusable], claimsDone: false, summary: '', notes: [] },
  ...facts,
})
const losesCode = draft({ refusals: [{ ...unusable, lost: 'asked' }] })

describe('after an unusable answer', () => {
  it.each<[string, readonly TriedRequest[], readonly ContextFile[], Draft, object]>([
    [
      'edits are followed by whole files',
      ...([[tried('edits')], [shown], draft()] as const),
      { rung: 'other_form', form: 'whole', sample: 0 },
    ],
    [
      'the functions of a file shown in full are asked for again',
      ...([[tried('function')], [shown], draft()] as const),
      { rung: 'sample', form: 'function', sample: 1 },
    ],
    [
      'a test that is shown in part keeps no file from being asked for whole',
      ...([[tried('edits')], [shown, testOutline], draft()] as const),
      { rung: 'other_form', form: 'whole', sample: 0 },
    ],
    [
      'edits of a file that was shown in part are followed by functions',
      ...([[tried('edits')], [outline], draft()] as const),
      { rung: 'other_form', form: 'function', sample: 0 },
    ],
    [
      'whole files are drawn again',
      ...([[tried('whole')], [shown], draft()] as const),
      { rung: 'sample', form: 'whole', sample: 1 },
    ],
    [
      'functions that lose code are followed by edits',
      ...([[tried('function')], [shown], losesCode] as const),
      { rung: 'other_form', form: 'edits', sample: 0 },
    ],
    [
      'a file that was cut off is followed by edits',
      ...([[tried('whole')], [shown], draft({ isCut: true })] as const),
      { rung: 'other_form', form: 'edits', sample: 0 },
    ],
    [
      'no form is tried twice',
      ...([[tried('edits'), tried('whole', 0, 'other_form')], [shown], losesCode] as const),
      { rung: 'sample', form: 'whole', sample: 1 },
    ],
    [
      'each sample has a number of its own',
      ...([[tried('whole'), tried('whole', 1), tried('whole', 2)], [shown], draft()] as const),
      { rung: 'sample', form: 'whole', sample: 3 },
    ],
    [
      'an attempt that noted no request counts as asked in its first form',
      ...([[], [shown], draft()] as const),
      { rung: 'other_form', form: 'whole', sample: 0 },
    ],
  ])('%s', (_, requests, context, before, next) => {
    const attempt = anAttempt({ requests, context, draft: before })
    expect(afterUnusable(attempt, 'edits')).toMatchObject(next)
  })

  it('says why', () => {
    const problem = { path: 'src/a.js', type: 'reply', message: 'It was empty.' } as const
    const attempt = anAttempt({ problems: [{ ...problem, line: 0, column: 0 }] })
    expect(afterUnusable(attempt, 'whole').why).toBe('It was empty.')
    expect(afterUnusable(anAttempt(), 'whole').why).toBe('the last answer could not be used')
  })
})

describe('after red tests', () => {
  it.each<[string, readonly TriedRequest[], number, object | null]>([
    [
      'the first request is drawn again',
      [tried('edits'), tried('whole', 0, 'other_form')],
      2,
      { rung: 'sample', form: 'edits', sample: 1 },
    ],
    ['until the samples are drawn', [tried('whole'), tried('whole', 1)], 1, null],
    [
      'as often as the settings say',
      [tried('whole'), tried('whole', 1)],
      2,
      { rung: 'sample', form: 'whole', sample: 2 },
    ],
    ['never where they say so', [tried('whole')], 0, null],
    ['never where no answer was for all of the change', [], 2, null],
  ])('%s', (_, requests, samples, next) => {
    const failure = { at: 'failed', message: 'greets: no', problems: [], failures: [] } as const
    const drawn = afterRed(anAttempt({ requests, failure: { ...failure, output: '' } }), {
      samples,
    })
    if (next === null) expect(drawn).toBeNull()
    else expect(drawn).toMatchObject({ ...next, why: 'greets: no' })
  })
})

describe('a name that is missing', () => {
  const failed = { at: 'failed', message: 'no', problems: [], failures: [], output: '' } as const
  const broken = (errorType: string) => [{ ...failureSaying('greets', 'no'), errorType }]
  it.each<[string, string, number, readonly TriedRequest[], boolean]>([
    ['is mended where the code is shown', 'NameError', 0, [tried('whole')], false],
    ['in any language', 'ReferenceError', 0, [tried('whole')], false],
    ['but once', 'NameError', 1, [tried('whole')], true],
    ['after samples as well', 'NameError', 1, [tried('whole'), tried('whole', 1)], false],
    ['unlike a wrong value', 'AssertionError', 0, [tried('whole')], true],
  ])('%s', (_, errorType, testRepairs, requests, isSample) => {
    const attempt = { requests, testRepairs, failure: failed, broken: broken(errorType) }
    expect(afterRed(anAttempt(attempt), { samples: 3 }) !== null).toBe(isSample)
  })
})

describe('red tests that the first request does not show', () => {
  const failed = { at: 'failed', message: 'no', problems: [], failures: [], output: '' } as const
  const created = { action: 'create', path: 'test/new.test.js', content: '' } as const
  it.each<[string, string | null, boolean]>([
    ['of another file are repaired', 'test/b.test.js', false],
    ['that it shows are left to a sample', 'test/a.test.js', true],
    ['that the answer wrote are left to a sample', 'test/new.test.js', true],
    ['of no file are left to a sample', null, true],
  ])('%s', (_, file, isSample) => {
    const broken = [{ ...failureSaying('greets', 'no'), file }]
    const context = [shown, { ...shown, path: 'test/a.test.js' }]
    const attempt = { requests: [tried('whole')], failure: failed, broken, context }
    const answered = anAttempt({ ...attempt, draft: draft({ refusals: [], changes: [created] }) })
    expect(afterRed(answered, { samples: 3 }) !== null).toBe(isSample)
  })
})

const settingsOf = (testRepairs: number, validationRepairs: number, samples: number) => ({
  limits: someSettings({ testRepairs, validationRepairs }).limits,
  samples,
})

const wasRed = { ...nothingRun([], [], 'failed'), before: { passed: 1, failed: 1, skipped: 0 } }

describe('another try at red tests', () => {
  const first = [tried('whole')]
  const refuted = [tried('whole'), tried('whole', 0, 'red_tests')]
  const both = [tried('whole'), tried('whole', 1), tried('whole', 2)]
  it.each<[string, boolean, number, number, readonly TriedRequest[], number, number, number]>([
    ['while repairs are left', true, 1, 1, both, 2, 2, 2],
    ['not with what repairs of code left', false, 2, 0, first, 2, 2, 2],
    ['where red tests refuted a claim, one less', false, 1, 2, refuted, 2, 2, 2],
    ['not where tests are never repaired', false, 0, 0, first, 0, 2, 2],
    ['while samples are left, and nothing else was asked for', true, 2, 0, both, 2, 2, 3],
    ['not for the last answer of all limits', false, 2, 2, both, 2, 2, 3],
    ['not for samples once a repair was asked for', false, 3, 0, both, 2, 2, 3],
    ['not for samples where tests are never repaired', false, 0, 0, both, 0, 2, 3],
  ])('%s', (...[, may, testRepairs, validationRepairs, requests, ...limits]) => {
    const attempt = anAttempt({ requests, testRepairs, validationRepairs, receipt: wasRed })
    expect(mayTryAgain(attempt, settingsOf(...limits))).toBe(may)
  })

  it('draws no further samples where no test was red before', () => {
    const green = { ...wasRed, before: { passed: 2, failed: 0, skipped: 0 } }
    for (const receipt of [green, { ...wasRed, before: null }, null]) {
      const attempt = anAttempt({ requests: both, testRepairs: 2, receipt })
      expect(mayTryAgain(attempt, settingsOf(2, 2, 3))).toBe(false)
    }
  })

  it.each<[string, boolean, number, number, readonly TriedRequest[]]>([
    ['while repairs of code are left', true, 2, 1, first],
    ['not once they are used up', false, 0, 2, first],
    ['not for the last answer of all limits', false, 2, 1, both],
  ])('or at code that cannot be used, %s', (_, may, testRepairs, validationRepairs, requests) => {
    const attempt = anAttempt({ requests, testRepairs, validationRepairs })
    expect(mayRepairCode(attempt, settingsOf(2, 2, 2))).toBe(may)
  })

  it('never asks more often than the limits say together', () => {
    const few = fc.nat(5)
    fc.assert(
      fc.property(few, few, few, few, few, few, (...drawn) => {
        const [testRepairs, validationRepairs, tests, code, samples, asked] = drawn
        fc.pre(validationRepairs <= code)
        const requests = Array.from({ length: asked }, (_, sample) => tried('whole', sample))
        const attempt = anAttempt({ requests, testRepairs, validationRepairs, receipt: wasRed })
        if (!mayTryAgain(attempt, settingsOf(tests, code, samples))) return
        const most = Math.max(tests, samples) + code
        expect(testRepairs + validationRepairs).toBeLessThan(most)
        if (asked > 1 && code > 0) expect(testRepairs + validationRepairs).toBeLessThan(most - 1)
      }),
    )
  })
})
