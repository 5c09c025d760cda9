import { expect, it } from 'vitest'
import type { JournalEntry, JournalEvent } from '../../../src/core/domain/journal-event.ts'
import type { NodeName, OutcomeOf } from '../../../src/core/domain/steps.ts'
import { findRun } from '../../../src/core/journal/find-run.ts'
import { recordedSteps } from '../../../src/core/journal/recorded-steps.ts'
import type { Message } from '../../../src/core/ports/model.ts'
import { describeDifferences, outlineRequest } from '../../../src/model/ask/record-call.ts'
import { usageOf } from '../../fakes/facts.ts'

const asked = (content: string): readonly Message[] => [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content },
]

it.each<[string, string, string, readonly string[]]>([
  ['the same', 'a\nb\nc', 'a\nb\nc', []],
  ['other numbers', 'ran in 0.03s\nb', 'ran in 1.25s\nb', []],
  ['a line more', 'a\nc', 'a\nbee\nc', ['from line 2: 0 lines were 1 others, + bee']],
  ['a line less', 'a\nb\nc', 'a\nc', ['from line 2: 1 lines were 0 others']],
  ['another line', 'a\nb\nc', 'a\n  bee\nc', ['from line 2: 1 lines were 1 others, + bee']],
  ['repeated lines', 'a\na', 'a\na\na', ['from line 3: 0 lines were 1 others, + a']],
])('tells where a request differs: %s', (_, before, after, expected) => {
  const found = describeDifferences(outlineRequest(asked(before)), asked(after))
  expect(found).toEqual(expected.map((words) => `message 2 (user), ${words}`))
})

it('tells that messages are more, and keeps nothing that can be read', () => {
  const outline = outlineRequest(asked('secret words'))
  expect(outline.join('')).toMatch(/^[0-9a-f]{8}$/)
  expect(describeDifferences(outline, asked('secret words').slice(1))).toEqual([
    'it has 1 messages, and had 2',
  ])
})

const step = (node: NodeName, outcome: OutcomeOf<NodeName>): JournalEntry => ({
  kind: 'stepped',
  node,
  outcome,
  task: null,
  attempt: null,
  seconds: 0,
  usage: usageOf(0),
})
const resumed = (next: NodeName): JournalEntry => ({ kind: 'resumed', next, from: 'disk' })

it.each<[string, readonly JournalEntry[], string]>([
  [
    'a run in one go',
    [step('pick_task', 'picked'), step('repair_test', 'repaired')],
    'pick_task:picked repair_test:repaired',
  ],
  [
    'a kill between two steps',
    [step('pick_task', 'picked'), resumed('repair_test'), step('repair_test', 'repaired')],
    'pick_task:picked repair_test:repaired',
  ],
  [
    'a kill before the state was saved',
    [
      step('pick_task', 'picked'),
      step('repair_test', 'repaired'),
      resumed('repair_test'),
      step('repair_test', 'failed'),
    ],
    'pick_task:picked repair_test:failed',
  ],
  [
    'a model that kept it waiting',
    [
      step('pick_task', 'picked'),
      step('repair_test', 'unavailable'),
      step('generate_report', 'reported'),
      resumed('repair_test'),
      step('repair_test', 'repaired'),
    ],
    'pick_task:picked repair_test:repaired',
  ],
  [
    'a forge that kept it waiting',
    [
      step('pick_task', 'picked'),
      step('repair_test', 'forge_refused'),
      step('generate_report', 'unposted'),
      resumed('repair_test'),
      step('repair_test', 'repaired'),
    ],
    'pick_task:picked repair_test:repaired',
  ],
])('reads the steps of %s as one walk', (_, entries, expected) => {
  const events = entries.map((entry, seq): JournalEvent => ({ seq, at: '', run: 'r', ...entry }))
  const found = recordedSteps(events).map(({ node, outcome }) => `${node}:${outcome}`)
  expect(found.join(' ')).toBe(expected)
})

it.each([
  ['run-2026', 'run-2026-b'],
  ['run-2025-a', 'run-2025-a'],
  ['last', 'run-2026-b'],
])('finds a run by %s', (text, expected) => {
  expect(findRun(text, ['run-2025-a', 'run-2025-ab', 'run-2026-b'])).toBe(expected)
})

it.each([['run-2025'], ['run-3'], [''], ['run-.*']])('does not guess a run from %j', (text) => {
  expect(() => findRun(text, ['run-2025-a', 'run-2025-b'])).toThrow(/run-2025-b, run-2025-a/)
})

it.each(['last', 'run-1', ''])('says of %j that no run is recorded yet', (text) => {
  expect(() => findRun(text, [])).toThrow('No run is recorded here yet.')
})
