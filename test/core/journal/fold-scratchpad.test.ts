import { expect, it } from 'vitest'
import type { JournalEntry } from '../../../src/core/domain/journal-event.ts'
import type { NodeName, OutcomeOf } from '../../../src/core/domain/steps.ts'
import { noUsage } from '../../../src/core/domain/usage.ts'
import { foldScratchpad, type ScratchEntry } from '../../../src/core/journal/fold-scratchpad.ts'
import { sampleResult } from '../../contracts/run-state.ts'

const whose = { task: 'T-1', attempt: 1 }

const stepped = (node: NodeName, outcome: OutcomeOf<NodeName>, more = {}): JournalEntry => ({
  ...{ kind: 'stepped', ...whose, node, outcome, seconds: 1, usage: noUsage },
  ...more,
})
const observed = (turn: number, summary: string, more = {}): JournalEntry => ({
  ...{ kind: 'observed', ...whose, turn, tool: 'grep', input: '{}', hash: 'h', thought: 't' },
  ...{ observation: 'o', summary, isOk: true, ...more },
})
const failed = (message: string): JournalEntry => ({
  ...{ kind: 'failed', ...whose, node: 'verify_task', signature: 's', message },
  error: { type: 'test_failure', severity: 'error', recoverable: true },
})
const reflected: JournalEntry = { kind: 'reflected', ...whose, lines: ['I assumed it.'] }
const planned: JournalEntry = {
  ...{ kind: 'planned', ...whose, complexity: 'low', files: ['a.js'], steps: ['write it'] },
}
const resumed = (next: NodeName): JournalEntry => ({ kind: 'resumed', next, from: 'disk' })
const filed: JournalEntry = {
  kind: 'filed',
  result: sampleResult('T-1', { verdict: 'failed', reason: 'it fails' }),
}

const briefly = (entry: ScratchEntry): string => {
  switch (entry.kind) {
    case 'plan':
      return `plan ${entry.steps}`
    case 'turn':
      return `${entry.attempt}.${entry.turn} ${entry.summary}`
    case 'problem':
      return `problem ${entry.message}`
    case 'repair':
      return `${entry.node} ${entry.outcome}`
    case 'reflection':
      return entry.lines.join()
    case 'verdict':
      return `${entry.verdict} ${entry.reason}`
  }
}

it.each<[string, readonly JournalEntry[], readonly string[]]>([
  ['nothing of a first change that passed', [stepped('execute_task', 'drafted')], []],
  [
    'the whole way, in order',
    [
      ...[stepped('plan_task', 'planned'), planned, stepped('execute_task', 'drafted')],
      ...[stepped('verify_task', 'failed_again'), failed('two is not three')],
      ...[stepped('reflect', 'reflected_tests'), reflected, stepped('repair_test', 'repaired')],
      ...[stepped('verify_task', 'passed'), filed],
    ],
    [
      ...['plan write it', 'problem two is not three', 'I assumed it.', 'repair_test repaired'],
      ...['tested passed', 'failed it fails'],
    ],
  ],
  [
    'only this task',
    [
      observed(0, 'mine'),
      observed(0, 'of another', { task: 'T-2' }),
      observed(1, 'nobody', { task: null }),
    ],
    ['1.0 mine'],
  ],
  [
    'each attempt',
    [observed(0, 'first'), observed(0, 'again', { attempt: 2 })],
    ['1.0 first', '2.0 again'],
  ],
  [
    'a call once that a killed run repeats',
    [
      ...[
        observed(0, 'lost'),
        resumed('use_tool'),
        observed(0, 'kept'),
        stepped('use_tool', 'observed'),
      ],
      ...[resumed('use_tool'), observed(0, 'kept'), stepped('use_tool', 'observed')],
    ],
    ['1.0 kept'],
  ],
  [
    'nothing of an outage, so that a run that met one ends the same',
    [
      ...[stepped('repair_test', 'unavailable'), failed('502 Bad Gateway'), resumed('repair_test')],
      ...[stepped('repair_test', 'repaired'), stepped('await_approval', 'forge_refused')],
      failed('502 Bad Gateway'),
    ],
    ['repair_test repaired'],
  ],
  [
    'a step once that a killed run repeats',
    [
      ...[stepped('verify_task', 'failed'), failed('once'), resumed('verify_task')],
      ...[stepped('verify_task', 'failed'), failed('once'), resumed('repair_test')],
      stepped('repair_test', 'repaired'),
    ],
    ['problem once', 'repair_test repaired'],
  ],
])('tells %s', (_, events, entries) => {
  expect(foldScratchpad('T-1', events).entries.map(briefly)).toEqual(entries)
})
