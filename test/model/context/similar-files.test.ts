import { expect, it } from 'vitest'
import type { Task } from '../../../packages/task/task-schema.ts'
import type { Plan } from '../../../src/core/domain/attempt.ts'
import { findTargets } from '../../../src/model/context/similar-files.ts'
import { aTask } from '../../fakes/facts.ts'

const paths = [
  'README.md',
  'src/cart.js',
  'src/price.js',
  'test/cart.test.js',
  'test/price.test.js',
]
const plan: Plan = { files: ['src/price.js', 'src/tax.js'], complexity: 'low', steps: [] }

it.each<[string, Partial<Task>, readonly string[]]>([
  // The `**Files**` line says it, whatever the words name.
  ['Add a total', { files: ['src/cart.js'] }, ['src/cart.js']],
  ['Add a total to `src/price.js`', { files: ['src/cart.js'] }, ['src/cart.js']],
  ['Add a tax', { files: ['src/cart.js', 'src/tax.js'] }, ['src/cart.js', 'src/tax.js']],
  ['Add a tax', { files: ['src/tax.js', 'test/tax.test.js'] }, ['src/tax.js', 'test/tax.test.js']],
  // A pattern leaves it open.
  ['Add a total', { files: ['src/*.js'] }, []],
  ['Add a total', { files: ['src/'] }, []],
  // The only file that the words name.
  ['Add a total to `src/cart.js`', {}, ['src/cart.js']],
  ['Create `src/tax.js`', {}, ['src/tax.js']],
  ['Add a total', { details: 'It goes into src/cart.js.' }, ['src/cart.js']],
  ['Say in the README how to install it', {}, ['README.md']],
  ['Add a total to `src/cart.js` and `src/price.js`', {}, []],
  ['Add a total', {}, []],
  // Files that are only read.
  ['Add a total to `src/cart.js`, like `src/price.js`', {}, ['src/cart.js']],
  ['Add a total to `src/cart.js` with the prices from `src/price.js`', {}, ['src/cart.js']],
  ['Create `src/tax.js` for `src/price.js`', {}, ['src/tax.js']],
  ['Use the function `src/price.js` in `src/cart.js`', {}, ['src/cart.js']],
  ['Write `src/cart.js` as `README.md` says', {}, ['src/cart.js']],
  ['Add a total to `src/cart.js` as described in README.md', {}, ['src/cart.js']],
  ['Write `src/cart.js` so that it does what the file `README.md` requires', {}, ['src/cart.js']],
  ['Write `src/cart.js` as `src/price.js` does', {}, ['src/cart.js']],
  ['The rules are in `README.md`. Write `src/cart.js`', {}, ['src/cart.js']],
  ['Add a total to `src/cart.js`, and describe it in `README.md`', {}, []],
  ['Add a total to `src/cart.js` and `README.md`', {}, []],
  ['Correct `README.md` and `docs/start.md`', {}, []],
  // The same words about the file to write.
  ['The bug is in `src/cart.js`: totals are negative', {}, ['src/cart.js']],
  ['Fix what `src/cart.js` does with negative prices', {}, ['src/cart.js']],
  ['Make sure that `src/cart.js` lists items sorted', {}, ['src/cart.js']],
  ['Change how `src/cart.js` shows totals', {}, ['src/cart.js']],
  ['Make sure that `README.md` lists all commands', {}, ['README.md']],
  ['The typo is in `README.md`', {}, ['README.md']],
  ['Add a total to `src/cart.js`, and make sure that `README.md` lists it', {}, []],
  // A test is written only where the words name no code.
  ['Make `test/cart.test.js` pass by a total in `src/cart.js`', {}, ['src/cart.js']],
  ['Test an empty cart in `test/cart.test.js`', {}, ['test/cart.test.js']],
  // What checks the task is not what it writes.
  ['Add a total to `src/cart.js`', { accept: ['node src/price.js'] }, ['src/cart.js']],
  ['Add a total to `src/cart.js`', { verify: 'node test/price.test.js' }, ['src/cart.js']],
])('"%s" %j writes %j', (title, facts, targets) => {
  expect(findTargets(aTask({ title, ...facts }), null, paths)).toEqual(targets)
})

it.each<[string, Partial<Task>, readonly string[]]>([
  ['the files of a plan', {}, ['src/price.js', 'src/tax.js']],
  ['those of the task before those of a plan', { files: ['src/cart.js'] }, ['src/cart.js']],
])('takes %s', (_, facts, targets) => {
  expect(findTargets(aTask({ title: 'Add a tax', ...facts }), plan, paths)).toEqual(targets)
})
