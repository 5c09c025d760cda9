import { expect, it } from 'vitest'
import { changeState, type StatePatch } from '../../src/core/domain/change-state.ts'
import { noUsage } from '../../src/core/domain/usage.ts'
import { eventsBetween } from '../../src/graph/events-between.ts'
import { sampleResult } from '../contracts/run-state.ts'
import { anAttempt, aState, aTask, usageOf } from '../fakes/facts.ts'

const taken = { node: 'decide_next', outcome: 'go_on', seconds: 2 } as const
const stepped = { kind: 'stepped', ...taken, task: null, attempt: null, usage: noUsage }
const done = sampleResult('T-1', { verdict: 'done', thisRun: true })
const found = sampleResult('T-2', { verdict: 'in_review', thisRun: false })
const draft = {
  changes: [{ action: 'create', path: 'a.js', content: '' }],
  refusals: [],
  claimsDone: false,
  summary: '',
  notes: [],
} as const
const record = {
  taskId: 'T-1',
  proposal: { strategy: 'SKIP', reason: 'unknown', explanation: '', tasks: [] },
  decision: 'approved',
  by: 'ada',
  at: '2026-01-01T00:00:00.000Z',
} as const

it.each<[string, StatePatch, StatePatch, readonly object[]]>([
  ['nothing but the step', {}, {}, [stepped]],
  [
    'the task, the attempt and what they used',
    {
      attempt: anAttempt({ task: aTask({ id: 'T-5' }), number: 2 }),
      spent: { usage: usageOf(10) },
    },
    {
      attempt: anAttempt({ task: aTask({ id: 'T-5' }), number: 2 }),
      spent: { usage: usageOf(25) },
    },
    [{ ...stepped, task: 'T-5', attempt: 2, usage: { ...noUsage, promptTokens: 15 } }],
  ],
  [
    'what its first request holds or leaves out',
    { attempt: null },
    {
      attempt: anAttempt({
        size: { shape: 'one_file', complexity: 'low' },
        refinement: 'no_lesson',
      }),
    },
    [
      {
        ...{ ...stepped, task: 'T-1', attempt: 1 },
        ...{ shape: 'one_file', complexity: 'low', refinement: 'no_lesson' },
      },
    ],
  ],
  [
    'that it showed no lesson',
    { attempt: anAttempt({ refinement: 'no_lesson' }) },
    { attempt: anAttempt({ refinement: 'no_lesson', draft }) },
    [{ ...stepped, task: 'T-1', attempt: 1, files: 1, lesson: 'none', contextTokens: 0 }],
  ],
  [
    'how large the task turned out to be',
    { attempt: anAttempt() },
    { attempt: anAttempt({ draft, plan: { files: ['a.js'], complexity: 'high', steps: ['x'] } }) },
    [
      {
        ...{ ...stepped, task: 'T-1', attempt: 1, files: 1, complexity: 'high' },
        ...{ lesson: 'javascript', contextTokens: 0 },
      },
      {
        kind: 'planned',
        task: 'T-1',
        attempt: 1,
        files: ['a.js'],
        complexity: 'high',
        steps: ['x'],
      },
    ],
  ],
  [
    'not the size that was known before',
    { attempt: anAttempt({ draft }) },
    { attempt: anAttempt({ draft, seconds: 5 }) },
    [{ ...stepped, task: 'T-1', attempt: 1 }],
  ],
  [
    'a new reflection, line by line, and none that says nothing',
    { attempt: anAttempt({ reflections: ['old'] }) },
    { attempt: anAttempt({ reflections: ['old', 'one\ntwo', ''] }) },
    [
      { ...stepped, task: 'T-1', attempt: 1 },
      { kind: 'reflected', task: 'T-1', attempt: 1, lines: ['one', 'two'] },
    ],
  ],
  [
    'a verdict of this run',
    {},
    { tasks: { results: { 'T-1': done } } },
    [stepped, { kind: 'filed', result: done }],
  ],
  ['not what was only found', {}, { tasks: { results: { 'T-2': found } } }, [stepped]],
  [
    'a verdict taken back',
    { tasks: { results: { 'T-1': done } } },
    { tasks: { results: {} } },
    [stepped, { kind: 'reopened', task: 'T-1' }],
  ],
  [
    'only what is new',
    { tasks: { results: { 'T-1': done } }, record: { recoveries: [record] } },
    {
      tasks: { results: { 'T-1': done } },
      record: { recoveries: [record, { ...record, taskId: 'T-9' }] },
    },
    [stepped, { kind: 'recovered', record: { ...record, taskId: 'T-9' } }],
  ],
])('tells %s', (_, before, after, events) => {
  const [from, to] = [aState(before), aState(after)]
  // As the interpreter does it: what did not change is the same object.
  const kept = changeState(to, {
    record: {
      recoveries: [
        ...from.record.recoveries,
        ...to.record.recoveries.slice(from.record.recoveries.length),
      ],
    },
  })
  expect(eventsBetween(from, kept, taken)).toEqual(events)
})
