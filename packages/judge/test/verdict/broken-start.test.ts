import { expect, it } from 'vitest'
import { aTask } from '../../../../test/fakes/facts.ts'
import type { ChangeSet } from '../../../change/change-set.ts'
import { failureSaying } from '../../compare/read-outcome.ts'
import type { TestFailure } from '../../results/test-report.ts'
import { findBrokenStart } from '../../verdict/find-unrelated.ts'

const red: TestFailure = {
  ...failureSaying('tests/test_a.py', "ModuleNotFoundError: No module named 'shop._version'"),
  ...{ file: 'tests/test_a.py', trace: ['src/shop/__init__.py:3', 'tests/test_a.py:1'] },
}
const task = aTask({ title: 'Round prices', details: '', files: [] })
const changing = (path: string): ChangeSet => [{ action: 'create', path, content: '' }]

interface Facts {
  readonly failure?: Partial<TestFailure>
  readonly before?: readonly TestFailure[]
  readonly words?: string
  readonly path?: string
  readonly files?: readonly string[]
}

it.each<[string, Facts, number]>([
  ['a module that the start commit lacks', {}, 1],
  ['a module that a test imports', { failure: { trace: ['tests/test_a.py:1'] } }, 0],
  ['a module that the task names', { words: 'It makes `_version` too.' }, 0],
  [
    'a file that the task names',
    {
      failure: { message: "Cannot find module './cart/total.js' from 'src/shop/app.js'" },
      words: 'Write total.',
    },
    0,
  ],
  [
    'a file that the task lists',
    {
      failure: { message: "Cannot find module './cart/total.js' from 'src/shop/app.js'" },
      files: ['src/cart/total.js'],
    },
    0,
  ],
  [
    'a file that neither names',
    {
      failure: { message: "Cannot find module './cart/total.js' from 'src/shop/app.js'" },
      words: 'In JS: a cart.',
    },
    1,
  ],
  ['a module that a changed file imports', { path: 'src/shop/__init__.py' }, 0],
  ['another module than before', { before: [{ ...red, message: "No module named 'x'" }] }, 0],
  ['a module that was there before', { before: [] }, 0],
  ['another error', { failure: { message: 'assert 1 == 2' }, before: [] }, 0],
  ['an error of unknown place', { failure: { trace: [] } }, 0],
])('tells a test that cannot be loaded for %s', (_, facts, found) => {
  const failure = { ...red, ...facts.failure }
  const { before = [failure], words = '', path = 'src/shop/price.py', files = [] } = facts
  const command = {
    ...{ command: 'pytest', exitCode: 1, timedOut: false, counts: null, tail: '', seconds: 1 },
    ...{ sandbox: 'bubblewrap' as const, failures: before },
  }
  const start = { commands: [command] }
  const tree = { changes: changing(path) }
  expect(findBrokenStart([failure], start, { ...task, details: words, files }, tree)).toHaveLength(
    found,
  )
})
