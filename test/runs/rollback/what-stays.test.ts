import { expect, it } from 'vitest'
import type { JournalEvent } from '../../../src/core/domain/journal-event.ts'
import { noUsage } from '../../../src/core/domain/usage.ts'
import { whatStays } from '../../../src/runs/rollback/what-stays.ts'
import { anAttempt } from '../../fakes/facts.ts'

const place = { at: '2026-01-02T03:04:05.000Z', run: 'run-1', task: 'T-1', attempt: 1 }
const stepped = (node: 'verify_task' | 'use_tool', outcome: 'failed' | 'observed', seq: number) =>
  ({ ...place, kind: 'stepped', seq, node, outcome, seconds: 1, usage: noUsage }) as const

it('counts the test runs of every strategy', () => {
  const { tests, receipt, broken, failure, remedies } = anAttempt()
  const turn = { turn: 0, tool: 'run_tests', input: '{}', hash: '', thought: '', isOk: true }
  const observed = { ...place, ...turn, kind: 'observed', observation: '', summary: '' } as const
  const tested = {
    isWhole: true,
    attempt: { tests, receipt, broken, failure, remedies },
    loop: { testRuns: 1, hasPassed: true },
  }
  const events: readonly JournalEvent[] = [
    stepped('verify_task', 'failed', 0),
    { ...observed, seq: 1, tested },
    stepped('use_tool', 'observed', 2),
    { ...observed, tool: 'grep', seq: 3 },
    stepped('use_tool', 'observed', 4),
  ]
  expect(whatStays(events, null)).toEqual(['test runs and what they did: 2'])
  expect(whatStays(events, ['T-2'])).toEqual([])
})
