import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { JournalEntry } from '../../../src/core/domain/journal-event.ts'
import { noUsage } from '../../../src/core/domain/usage.ts'
import { foldEvents, newRunFacts } from '../../../src/core/history/fold-events.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { attemptOf, eventsOf, type Told } from './journal-of.ts'

const fold = (entries: readonly JournalEntry[]) =>
  foldEvents(newRunFacts('r'), eventsOf('r', entries))

const step = {
  kind: 'stepped',
  node: 'decide_next',
  outcome: 'go_on',
  seconds: 2,
  usage: noUsage,
} as const

it.each<[string, Told, object]>([
  ['asks at once', {}, { strategy: 'single', model: 'small', requests: 1, verdict: 'in_review' }],
  ['plans first', { strategy: 'two_phase' }, { strategy: 'two_phase', seconds: 5 }],
  ['is cut at its length', { finish: 'length' }, { cut: 1 }],
  ['was split', { recovered: 'DECOMPOSE' }, { recovery: 'DECOMPOSE', decision: 'approved' }],
  ['failed on the way', { fails: true }, { errorType: 'test_failure', verdict: 'in_review' }],
  ['was cut off', { result: null }, { verdict: null, requests: 1 }],
  ['knows its size', { files: 7, result: { repairs: 2 } }, { files: 7, repairs: 2 }],
])('an attempt that %s', (_, told, expected) => {
  const { executions } = fold(attemptOf(told))
  expect(executions).toHaveLength(1)
  expect(executions[0]).toMatchObject({ task: 'T-1', attempt: 1, ...expected })
})

const question = { task: 'T-1', attempt: 1, purpose: 'draft', call: 0, hash: 'h', reason: 'no' }
const refusals: readonly JournalEntry[] = [
  { kind: 'silent', ...question, model: 'small', seconds: 60, usage: noUsage },
  { kind: 'refused', ...question, model: 'small' },
  { kind: 'too_large', ...question, window: 100, promptTokens: null },
]

it('has a row for each question without an answer', () => {
  const { calls } = fold([...refusals, ...attemptOf()])
  expect(calls.map(({ finish, model, seconds }) => [finish, model, seconds])).toEqual([
    ['silent', 'small', 60],
    ['refused', 'small', Number.NaN],
    ['too_large', '', Number.NaN],
    ['stop', 'small', 4],
  ])
})

it('counts an attempt as failed when its task was given to another way', () => {
  const size = { shape: 'one_file', complexity: 'low' } as const
  const about = { task: 'T-1', kind: 'routed', way: 'tools', reason: 'single failed' } as const
  const { executions } = fold([
    { ...step, ...size, node: 'pick_task', outcome: 'picked_simple', task: 'T-1', attempt: 1 },
    { ...about, attempt: 1, way: 'single', after: null },
    ...attemptOf({ result: null }),
    { ...about, attempt: 2, after: { attempt: 1, fingerprint: 'f', reason: 'It still fails.' } },
    ...attemptOf({ attempt: 2 }),
  ])
  expect(executions).toMatchObject([
    { attempt: 1, ...size, verdict: 'failed', fingerprint: 'f', reason: 'It still fails.' },
    { attempt: 2, verdict: 'in_review' },
  ])
})

it.each(['classify_failure', 'propose_recovery'] as const)(
  'an error in %s is a row, and not the last error of its task',
  (node) => {
    const error = { type: 'network', severity: 'warning', recoverable: true } as const
    const about = { task: 'T-1', attempt: 1, node, signature: 's', message: 'm', error } as const
    const { executions, errors } = fold([
      ...attemptOf({ fails: true, result: null }),
      { kind: 'failed', ...about },
    ])
    expect(errors.map(({ type }) => type)).toEqual(['test_failure', 'network'])
    expect(executions).toMatchObject([{ errorType: 'test_failure' }])
  },
)

it.each<[string, readonly JournalEntry[]]>([
  ['a step of the run', [{ ...step, task: null, attempt: null }]],
  [
    'a task that only waits',
    [{ kind: 'filed', result: sampleResult('T-1', { verdict: 'waiting', attempts: 0 }) }],
  ],
  [
    'a question about the roadmap',
    attemptOf({ result: null })
      .slice(0, 1)
      .map((entry) => ({ ...entry, task: null, attempt: null }) as JournalEntry),
  ],
])('%s is nobody’s attempt', (_, entries) => {
  expect(fold(entries).executions).toEqual([])
})

it('keeps apart the attempts at a task, and what each used', () => {
  const { executions } = fold([
    ...attemptOf({ tokens: 10, result: { verdict: 'deferred' } }),
    { kind: 'reopened', task: 'T-1' },
    ...attemptOf({ attempt: 2, tokens: 20 }),
  ])
  expect(executions).toMatchObject([
    { attempt: 1, promptTokens: 10, verdict: 'deferred' },
    { attempt: 2, promptTokens: 20, verdict: 'in_review' },
  ])
})

const whole = eventsOf('r', [
  ...attemptOf({ strategy: 'two_phase', fails: true, recovered: 'REWRITE' }),
  ...attemptOf({ task: 'T-2' }),
  { kind: 'ended', stopped: 'limit' },
])

it('takes in no event twice, whatever its order, and none of another run', () => {
  const once = foldEvents(newRunFacts('r'), whole)
  expect(once.facts).toMatchObject({ end: 'limit', seq: whole.length - 1 })
  const again = foldEvents(once.facts, whole)
  expect(again).toMatchObject({ facts: once.facts, executions: [], steps: [], errors: [] })
  fc.assert(
    fc.property(fc.shuffledSubarray([...whole], { minLength: whole.length }), (shuffled) => {
      const strangers = eventsOf('s', attemptOf()).map((event) => ({ ...event, seq: event.seq }))
      expect(foldEvents(newRunFacts('r'), [...strangers, ...shuffled])).toEqual(once)
    }),
    { numRuns: 30 },
  )
})

it.each([
  ['no time', { at: 'yesterday' }],
  ['a number that is none', { seq: 1e300 }],
])('passes over a line with %s', (_, wrong) => {
  const [first, second] = eventsOf('r', attemptOf())
  if (!first || !second) throw new Error('too short')
  const { steps, calls } = foldEvents(newRunFacts('r'), [{ ...first, ...wrong }, second])
  expect([calls.length, steps.length]).toEqual([0, 1])
})
