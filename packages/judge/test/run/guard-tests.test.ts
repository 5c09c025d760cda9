import { expect, it } from 'vitest'
import type { Attempt } from '../../../../src/core/domain/attempt.ts'
import { anAttempt, aTask } from '../../../../test/fakes/facts.ts'
import { failureSaying } from '../../compare/read-outcome.ts'
import type { CommandReport, TestReport } from '../../results/test-report.ts'
import { findBentTests } from '../../run/guard-tests.ts'

const path = 'test/a.test.js'
const before = "it('adds', () => { expect(add(1, 2)).toBe(3) })\n"
const content = "it('adds', () => { expect(add(1, 2)).toBe(4) })\n"
const draft: Attempt['draft'] = {
  changes: [{ action: 'modify', path, before, content }],
  ...{ refusals: [], notes: [], claimsDone: false, summary: '' },
}
const none: TestReport = { commands: [] }

it.each<[string, Partial<Attempt>, number]>([
  ['of a first answer', {}, 1],
  ['not once tests ran', { tests: none }, 0],
  ['not where a reviewer asks for it', { feedback: { by: 'a', text: '', threads: [] } }, 0],
])('finds a red test that is bent to pass: %s', async (_, facts, found) => {
  const task = aTask({ title: 'Add numbers', details: '' })
  const attempt = anAttempt({ task, draft, tests: null, feedback: null, ...facts })
  const failures = [{ ...failureSaying('adds', 'expected 3'), file: path }]
  const command: CommandReport = {
    ...{ command: 'npm test', exitCode: 1, timedOut: false, counts: null, failures },
    ...{ tail: '', seconds: 1, sandbox: 'bubblewrap' },
  }
  expect(await findBentTests(attempt, async () => ({ commands: [command] }))).toHaveLength(found)
})
