import { describe, expect, it } from 'vitest'
import type { ChangeSet } from '../../../change/change-set.ts'
import { failureSaying } from '../../compare/read-outcome.ts'
import type { TestReport } from '../../results/test-report.ts'
import { findUnrelated } from '../../verdict/find-unrelated.ts'

const add = 'export function add(a, b) {\n  return a - b\n}\n'
const mul = 'export function mul(a, b) {\n  return a * b\n}\n'
const tests = [
  "test('adds', () => {",
  '  assert.equal(add(1, 2), 3)',
  '})',
  '',
  "test('multiplies', () => {",
  '  assert.equal(mul(2, 2), add(2, 2))',
  '})',
  "test('works', () => {",
  "  assert.equal(run('1 + 2'), 3)",
  '})',
].join('\n')
const python = [
  'from a import add, mul',
  '',
  "@pytest.mark.parametrize('f', [mul])",
  'def test_zero(f):',
  '    assert f(1, 0) == add(0, 0)',
].join('\n')
const read = async () =>
  new Map([
    ['a.test.js', tests],
    ['test_a.py', python],
  ])

const modify = (before: string, content: string): ChangeSet => [
  { action: 'modify', path: 'a.js', before, content },
]
const adds = modify(add, `${add}\n${mul}`)

const find = (test: string, title: string, changes: ChangeSet, was = 'no') => {
  const file = test.startsWith('test_') ? 'test_a.py' : 'a.test.js'
  const red = { ...failureSaying(test, 'no'), file }
  const command = { command: 'npm test', exitCode: 1, timedOut: false, tail: '', counts: null }
  const failures = [{ ...red, message: was }]
  const before: TestReport = {
    commands: [{ ...command, failures, seconds: 1, sandbox: 'bubblewrap' }],
  }
  return findUnrelated([red], before, { title, details: '' }, { changes, read })
}

describe('findUnrelated', () => {
  it.each<[name: string, test: string, title: string, changes: ChangeSet]>([
    ['of another function', 'adds', 'Write `mul`', adds],
    ['of it with a suite', 'a > adds', 'Write `mul`', adds],
    [
      'of it with new imports',
      'adds',
      'Write `mul`',
      modify(add, `import b from 'b'\n${add}${mul}`),
    ],
  ])('finds a test %s', async (_, test, title, changes) => {
    expect(await find(test, title, changes)).toHaveLength(1)
  })

  it.each<[name: string, test: string, title: string, changes: ChangeSet, was?: string]>([
    ['that failed otherwise', 'adds', 'Write `mul`', adds, 'yes'],
    ['of a function that the task marks', 'adds', 'Repair `add`', adds],
    ['of a task that marks nothing', 'adds', 'Repair a.js', adds],
    ['that names the new function, too', 'multiplies', 'Write `mul`', adds],
    ['that names it above itself', 'test_zero[mul]', 'Write `mul`', adds],
    ['that names no function of the file', 'works', 'Write `mul`', adds],
    ['that is not in its file', 'subtracts', 'Write `mul`', adds],
    [
      'of a function that uses the edited one',
      'adds',
      'Write `mul`',
      modify(`${mul}${add}`, `${mul.replace('a * b', '1')}${add.replace('a - b', 'mul(a, b)')}`),
    ],
    [
      'whose function calls one that the change edits',
      'adds',
      'Write `mul`',
      modify(
        `${mul}${add.replace('a - b', 'mul(a, b)')}`,
        `${mul.replace('a * b', '1')}${add.replace('a - b', 'mul(a, b)')}`,
      ),
    ],
    [
      'beside a value of the file',
      'adds',
      'Write `mul`',
      modify(add, `const one = 1\n${add}${mul}`),
    ],
    ['without a change', 'adds', 'Write `mul`', []],
  ])('leaves a test %s', async (_, test, title, changes, was) => {
    expect(await find(test, title, changes, was)).toEqual([])
  })
})
