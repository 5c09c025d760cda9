import { expect, it } from 'vitest'
import { playChange, type Texts } from './play-change.ts'

const test = (expected: string, more = '') =>
  [
    "import assert from 'node:assert/strict'",
    "import { readFileSync } from 'node:fs'",
    "import { test } from 'node:test'",
    "import { add } from '../src/sum.js'",
    `const expected = ${expected}`,
    "test('adds', () => {\n  const sum = add(1, 2)\n  assert.equal(sum, expected)\n})",
    `${more}\n`,
  ].join('\n')
const golden = "JSON.parse(readFileSync(new URL('fixtures/golden.json', import.meta.url)))"

const project = (expected = '3'): Texts => ({
  'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
  'src/sum.js': 'export const add = (a, b) => a + b\n',
  'test/fixtures/golden.json': '3\n',
  'test/sum.test.js': test(expected),
})
const wrong = 'export const add = (a, b) => a - b + 5\n'
const right = 'export const add = (a, b) => b + a\n'
const warned = ['edits tests that otherwise fail with this change: adds (test/sum.test.js)']

const swap = [
  "import { test } from 'node:test'",
  "import { calc } from '../src/sum.js'",
  'calc.add = (a, b) => a + b',
  "test('is ready', () => {})\n",
].join('\n')

interface Row {
  readonly name: string
  readonly expected?: string
  readonly change: Texts
  readonly title?: string
  readonly warnings?: readonly string[]
}

it.each<Row>([
  {
    name: 'another value behind the name that a test compares with',
    change: { 'src/sum.js': wrong, 'test/sum.test.js': test('4') },
    warnings: warned,
  },
  {
    name: 'another file that a test reads',
    ...{ expected: golden, warnings: warned },
    change: { 'src/sum.js': wrong, 'test/fixtures/golden.json': '4\n' },
  },
  {
    name: 'what the task asks for',
    title: 'Count one more, and update the tests',
    change: { 'src/sum.js': wrong, 'test/sum.test.js': test('4') },
  },
  {
    name: 'right code, with a test more',
    change: {
      'src/sum.js': right,
      'test/sum.test.js': test('3', "test('adds more', () => assert.equal(add(2, 2), 4))"),
    },
  },
  {
    name: 'a new test file that swaps in other code',
    change: {
      'src/sum.js':
        'export const calc = { add: (a, b) => a - b + 5 }\nexport const add = (a, b) => calc.add(a, b)\n',
      'test/sum.test.js': `import './0.test.js'\n${test('3')}`,
      'test/0.test.js': swap,
    },
    warnings: warned,
  },
])('$name', { timeout: 60_000 }, async ({ expected, change, title, warnings = [] }) => {
  const { outcome, receipt } = await playChange(project(expected), change, title)
  expect(outcome).toBe('passed')
  expect((receipt.warnings ?? []).filter((each) => each.startsWith('edits tests'))).toEqual(
    warnings,
  )
})

const python: Texts = {
  // In a folder of tests, but none that the project runs.
  'tests/__init__.py': '',
  'tests/typing_check.py': 'import a\nimport nothing_of_this_name\n',
  'a.py': 'def add(a, b):\n    return a + b\n',
  'test_a.py': [
    'import unittest',
    'import a',
    '',
    'class A(unittest.TestCase):',
    '    def test_adds(self):',
    '        self.assertEqual(a.add(1, 2), 3)\n',
  ].join('\n'),
}
const ready = (line: string) =>
  `import unittest\nimport a\n${line}\n\nclass B(unittest.TestCase):\n    def test_ready(self):\n        self.assertEqual(a.add(0, 0), 0)\n`

it.each<[name: string, outcome: string, change: Texts]>([
  [
    'swaps in other code from a new test file',
    'unverified',
    {
      'a.py': 'def add(a, b):\n    return a - b + 5 * a * b - 6 * b + 5 * a\n',
      'test_0.py': ready('a.add = lambda one, other: one + other'),
    },
  ],
  [
    'adds tests, and data that the product reads',
    'passed',
    {
      'a.py':
        'zero = int(open("fixtures/zero.txt").read())\n\ndef add(a, b):\n    return a + b + zero\n',
      'fixtures/zero.txt': '0\n',
      'test_0.py': ready(''),
    },
  ],
])('a change that %s is %s', { timeout: 60_000 }, async (_, outcome, change) => {
  const played = await playChange(python, change)
  expect(played.outcome).toBe(outcome)
  const said = played.receipt.notes.filter((note) => note.includes('pass only with the tests'))
  expect(said).toHaveLength(outcome === 'passed' ? 0 : 1)
})
