import { describe, expect, it } from 'vitest'
import type { Attempt, TriedRemedy } from '../../../src/core/domain/attempt.ts'
import { changeState } from '../../../src/core/domain/change-state.ts'
import type { NodeName, OutcomeOf } from '../../../src/core/domain/steps.ts'
import { errorsBetween } from '../../../src/recovery/step/errors-between.ts'
import { anAttempt, aState } from '../../fakes/facts.ts'

const tried: TriedRemedy = {
  ...{ node: 'verify_task', type: 'missing_dependency', strategy: 'correct_command' },
  ...{ signature: 'missing_dependency | pytst | not found', message: 'pytst: not found' },
  ...{ subject: 'pytst', fix: 'pytest', worked: true },
}
const failure = { at: 'failed' as const, message: '', problems: [], failures: [], output: '' }
const problem = { path: 'src/a.ts', type: 'syntax', message: "'}' expected", line: 3, column: 1 }
const broken = {
  ...{ test: 'adds', file: 'test/a.test.js', line: 3, message: 'ENOSPC: expected 3, got 4' },
  ...{ expected: '3', actual: '4', errorType: 'AssertionError', trace: [] },
}

const between = (
  [node, outcome]: readonly [NodeName, OutcomeOf<NodeName>],
  before: Partial<Attempt>,
  after: Partial<Attempt>,
) =>
  errorsBetween(aState({ attempt: anAttempt(before) }), aState({ attempt: anAttempt(after) }), {
    node,
    outcome,
  })

describe('what a step says of errors', () => {
  it.each<[string, readonly [NodeName, OutcomeOf<NodeName>], Partial<Attempt>, object | null]>([
    ['nothing is wrong', ['verify_task', 'passed'], {}, null],
    [
      'a change that does not parse',
      ['validate_code', 'invalid'],
      { problems: [problem] },
      { error: { type: 'syntax_error', recoverable: true }, message: "'}' expected" },
    ],
    [
      'a broken test, whatever it prints',
      ['verify_task', 'failed'],
      { broken: [broken], failure },
      {
        error: { type: 'test_failure' },
        signature: expect.stringMatching(/^test_failure \| js adds \| /),
      },
    ],
    [
      'tests that cannot run',
      ['verify_task', 'cannot_run'],
      { failure: { ...failure, message: 'npm ci failed', output: 'npm error code EAI_AGAIN' } },
      { error: { type: 'network', severity: 'warning' } },
    ],
    [
      'a full disk',
      ['write_files', 'refused'],
      { failure: { ...failure, message: 'a.js: permission denied (EACCES)' } },
      { error: { type: 'permission_denied' } },
    ],
    [
      'a request that is too large',
      ['execute_task', 'failed'],
      { failure: { ...failure, message: 'the request is more than the model can read' } },
      { error: { type: 'model_error' }, signature: expect.stringContaining('| model |') },
    ],
    [
      'a task that is too large',
      ['build_context', 'too_large'],
      { failure: { ...failure, message: 'a.js alone takes 90000 tokens' } },
      { error: { type: 'validation' }, signature: expect.not.stringContaining('90000') },
    ],
  ])('%s', (_, step, after, expected) => {
    const events = between(step, {}, after)
    expect(events).toHaveLength(expected === null ? 0 : 1)
    if (expected !== null)
      expect(events[0]).toMatchObject({ kind: 'failed', task: 'T-1', ...expected })
  })

  it('what went wrong while a failure was looked into is a remedy, and no failure of the task', () => {
    const asked = {
      ...{ ...tried, node: 'classify_failure' as const, type: 'model_error' as const },
      ...{ signature: 'model_error | classify | no JSON', message: 'it is no JSON' },
    }
    const step = ['classify_failure', 'classified'] as const
    const events = between(step, {}, { remedies: [asked] })
    expect(events).toMatchObject([{ kind: 'remedied', type: 'model_error', worked: true }])
  })

  it('a remedy is told once, when it is known whether it worked, after what it was for', () => {
    const pending = { ...tried, worked: null }
    const step = ['verify_task', 'passed'] as const
    expect(between(step, {}, { remedies: [pending] })).toEqual([])
    const kinds = between(step, { remedies: [pending] }, { remedies: [tried, tried] })
    expect(kinds.map(({ kind }) => kind)).toEqual(['failed', 'remedied', 'remedied'])
    expect(kinds[1]).toMatchObject({ fix: 'pytest', worked: true, strategy: 'correct_command' })
    expect(between(step, { remedies: [tried] }, { remedies: [tried] })).toEqual([])
    const other = anAttempt({ number: 2, remedies: [tried] })
    const before = aState({ attempt: anAttempt({ remedies: [tried] }) })
    const where = { node: 'verify_task', outcome: 'passed' } as const
    expect(errorsBetween(before, aState({ attempt: other }), where)).toHaveLength(2)
  })

  it('a model that is not there is told by its answer', () => {
    const message = 'The model is not available: h: answered 429: slow down'
    const error = { code: 'model_unavailable' as const, message, next: '', taskId: 'T-1' }
    const where = { node: 'execute_task', outcome: 'unavailable' } as const
    const state = aState({ attempt: anAttempt() })
    expect(
      errorsBetween(state, changeState(state, { record: { errors: [error] } }), where),
    ).toMatchObject([{ kind: 'failed', error: { type: 'rate_limit', severity: 'warning' } }])
  })
})
