import { expect, it } from 'vitest'
import type { Task } from '../../../packages/task/task-schema.ts'
import { sizeTask } from '../../../src/model/size/complexity.ts'
import { aTask } from '../../fakes/facts.ts'

const paths = ['src/a.js', 'src/b.js', 'src/c.js', 'test/a.test.js', 'README.md']
const subtask = { title: 'x', status: 'pending', line: 1 } as const

it.each<[string, Partial<Task>, string, string]>([
  ['Round totals of an invoice to cents', {}, 'no_file', 'low'],
  ['Round totals of an invoice in `src/a.js`', {}, 'one_file', 'low'],
  ['Round totals of an invoice in `src/new.js`', {}, 'one_file', 'low'],
  ['Round totals of an invoice in `src/a.js` and `src/b.js`', {}, 'few_files', 'medium'],
  ['Make `test/a.test.js` pass: the fault is in `src/a.js`', {}, 'few_words', 'low'],
  ['Make `test/a.test.js` green', {}, 'no_file', 'low'],
  ['Round totals of an invoice', { files: ['src/a.js'] }, 'one_file', 'low'],
  ['Round totals of an invoice', { accept: ['node src/b.js'] }, 'no_file', 'low'],
  [
    'Round totals of an invoice',
    { files: ['src/a.js', 'src/b.js', 'src/c.js', 'src/d.js', 'src/e.js'] },
    'many_files',
    'high',
  ],
  [
    'Round totals in `src/a.js`',
    { details: Array.from({ length: 130 }, (_, at) => `invoice${at}`).join(' ') },
    'one_file',
    'high',
  ],
  [
    'Round totals of invoices in `src/a.js`',
    { subtasks: Array.from({ length: 5 }, () => subtask) },
    'one_file',
    'high',
  ],
])('%s %j is %s, %s', (title, facts, shape, complexity) => {
  expect(sizeTask(aTask({ title, details: '', files: [], ...facts }), paths)).toEqual({
    shape,
    complexity,
  })
})
