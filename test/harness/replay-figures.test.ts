import { describe, expect, it, test } from 'vitest'
import {
  type CaseLine,
  hasArrived,
  isDifferent,
  isExact,
  mustArrive,
} from '../../harness/replay/case-line.ts'
import { listMisses, sumUp } from '../../harness/replay/sum-up.ts'
import { isMet } from '../../harness/summary.ts'

const green = { command: 'npm test', before: 'green', after: 'green' } as const
const red = { ...green, after: 'red' } as const
const line = (changed: Partial<CaseLine>): CaseLine => ({
  ...{ repository: 'r', commit: 'c'.repeat(40), parent: 'p', subject: 's', shape: 'edits' },
  ...{ wrong: false, verify: true, outcome: 'done', receipt: 'passed', exitCode: 0, requests: 1 },
  ...{
    seconds: 1,
    reason: '',
    told: [],
    objection: null,
    differs: [],
    byHand: green,
    program: 'x',
  },
  ...changed,
})

describe('how a case is judged', () => {
  it.each([
    ['as it must', {}, { exact: true, different: false, due: true, arrived: true }],
    [
      'unverified',
      { outcome: 'unverified', receipt: 'unverified' },
      { exact: true, different: false, due: true, arrived: false },
    ],
    [
      'unverified, without tests',
      { verify: false, outcome: 'unverified', receipt: 'unverified', byHand: null },
      { exact: true, different: false, due: true, arrived: true },
    ],
    [
      'another text',
      { differs: ['a'] },
      { exact: false, different: true, due: true, arrived: false },
    ],
    [
      'done without a branch',
      { differs: null },
      { exact: false, different: true, due: true, arrived: false },
    ],
    [
      'failed',
      { outcome: 'failed', differs: null },
      { exact: false, different: false, due: true, arrived: false },
    ],
    ['red by hand', { byHand: red }, { exact: true, different: false, due: false, arrived: true }],
    [
      'not tried by hand',
      { byHand: null },
      { exact: true, different: false, due: false, arrived: true },
    ],
  ] as const)('%s', (_, changed, { exact, different, due, arrived }) => {
    const one = line(changed)
    expect([isExact(one), isDifferent(one), mustArrive(one), hasArrived(one)]).toEqual([
      ...[exact, different, due, arrived],
    ])
  })
})

const missed = (lines: readonly CaseLine[]) =>
  sumUp(lines)
    .filter((figure) => !isMet(figure))
    .map(({ name }) => name)

describe('which bounds are missed', () => {
  const many = (count: number, changed: Partial<CaseLine> = {}) =>
    Array.from({ length: count }, () => line(changed))
  it.each([
    ['none', many(20), []],
    ['one of twenty', [...many(19), line({ outcome: 'failed', differs: null })], []],
    [
      'one that differs',
      [...many(19), line({ differs: ['a'] })],
      ['another branch than was answered'],
    ],
    [
      'one repository',
      [...many(97), line({ repository: 'q', outcome: 'failed', differs: null })],
      ['  of q'],
    ],
    [
      'two requests',
      [...many(9), line({ requests: 2 })],
      ['in one request, of those that arrived'],
    ],
    [
      'a wrong one that passed',
      [...many(20), line({ wrong: true, byHand: red })],
      ['passed, of the wrong ones that are red by hand'],
    ],
    ['a wrong one that no test finds', [...many(20), line({ wrong: true })], []],
    ['a wrong one that failed', [line({ wrong: true, byHand: red, outcome: 'failed' })], []],
    ['nothing', [], []],
  ])('%s', (_, lines, names) => {
    expect(missed(lines)).toEqual(names)
  })
})

test('every case that did not end as it must is listed with its reason', () => {
  const lines = [
    line({}),
    line({
      outcome: 'failed',
      receipt: null,
      differs: null,
      requests: 4,
      reason: 'not in the file',
      objection: 'What\nwas wrong',
    }),
    line({ outcome: 'unverified', receipt: 'unverified', told: ['npm test → 1'] }),
    line({ outcome: 'failed', differs: null, byHand: red, reason: 'red' }),
    line({ wrong: true, byHand: red, outcome: 'failed' }),
    line({ wrong: true, byHand: red }),
  ]
  expect(listMisses(lines)).toEqual([
    'r cccccccccc edits: failed, 4 requests: not in the file; at first: What was wrong',
    'r cccccccccc edits: unverified, unverified, 1 requests: npm test → 1',
    'r cccccccccc edits: failed, passed, 1 requests: red',
    'r cccccccccc edits: done, passed, 1 requests: ',
  ])
})
