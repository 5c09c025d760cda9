import { expect, it } from 'vitest'
import { evidenceOf, failureSaying } from '../../compare/read-outcome.ts'
import type { CommandReport, Receipt, TestReport } from '../../results/test-report.ts'

const ran = (red: readonly string[], facts: Partial<CommandReport> = {}): TestReport => ({
  commands: [
    {
      ...{ command: 'npm test', exitCode: red.length === 0 ? 0 : 1, timedOut: false, tail: '' },
      counts: { passed: 3 - red.length, failed: red.length, skipped: 0 },
      failures: red.map((test) => failureSaying(test, 'no')),
      ...{ seconds: 1, sandbox: 'bubblewrap', ...facts },
    },
  ],
})
type Row = readonly [
  name: string,
  receipt: Pick<Receipt, 'result'>,
  before: TestReport | null,
  after: TestReport,
  shown: string | undefined,
]

const rows: readonly Row[] = [
  ['a test that was red is green', { result: 'passed' }, ran(['adds']), ran([]), 'proven'],
  [
    'one of two is green',
    { result: 'passed' },
    ran(['adds', 'subtracts']),
    ran(['subtracts']),
    'proven',
  ],
  ['another one is red now', { result: 'passed' }, ran(['adds']), ran(['divides']), 'unharmed'],
  [
    'a file loads that did not',
    { result: 'passed' },
    ran(['adds', 'a.rs'], {
      failures: [failureSaying('adds', 'no'), { ...failureSaying('E0432', 'no'), file: 'a.rs' }],
    }),
    ran(['adds'], { counts: { passed: 4, failed: 2, skipped: 0 } }),
    'proven',
  ],
  ['all were green', { result: 'passed' }, ran([]), ran([]), 'unharmed'],
  ['nothing ran before', { result: 'passed' }, null, ran([]), 'unharmed'],
  [
    'an accept command ends well now',
    { result: 'passed' },
    ran([], { exitCode: 1, counts: null, role: 'accept' }),
    ran([], { counts: null, role: 'accept' }),
    'proven',
  ],
  [
    'a linter ends well now',
    { result: 'passed' },
    ran([], { exitCode: 1, counts: null, role: 'lint' }),
    ran([], { counts: null, role: 'lint' }),
    'unharmed',
  ],
  ['results are in doubt', { result: 'unverified' }, ran(['adds']), ran([]), 'unverified'],
  ['a test is broken', { result: 'failed' }, ran(['adds']), ran([]), undefined],
]

it.each(rows)('where %s', (_, receipt, before, after, shown) => {
  expect(evidenceOf(receipt, before, after, false)).toBe(shown)
  const seen = shown === 'unharmed' ? 'proven' : shown
  expect(evidenceOf(receipt, before, after, true)).toBe(seen)
})
