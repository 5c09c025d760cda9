import { expect, it } from 'vitest'
import { readRoadmap } from '../../../packages/roadmap/document/read-roadmap.ts'
import type { RawTask } from '../../../src/model/prompts/recover.ts'
import { readProposedTasks } from '../../../src/model/prompts/recover.ts'
import { checkProposedTasks } from '../../../src/recovery/task/check-proposed-tasks.ts'

const task = { id: 'T-3', title: 'Build the shop', details: 'All of it.' }
const raw = (title: string, facts: Partial<RawTask> = {}): RawTask => ({
  title,
  details: ['It works.'],
  files: [],
  ...facts,
})
const two = [raw('Add the cart'), raw('Add the checkout')]

it.each<[string, readonly RawTask[], 'DECOMPOSE' | 'REWRITE', readonly string[], string]>([
  ['one part', [raw('Add the cart')], 'DECOMPOSE', [], 'has 1 task; 2 to 5'],
  ['six parts', Array(6).fill(raw('Add it')), 'DECOMPOSE', [], 'has 6 tasks'],
  ['two for one', two, 'REWRITE', [], 'has 2 tasks; 1 is wanted'],
  ['the same twice', [raw('Add it'), raw('add  it')], 'DECOMPOSE', [], 'same title'],
  ['a title of one word', [raw('Shop')], 'REWRITE', [], 'a verb and an object'],
  [
    'the task again',
    [raw('Build the shop', { details: ['All of it.'] })],
    'REWRITE',
    [],
    'as it was',
  ],
  ['nothing to check', [raw('Build a shop', { details: [] })], 'REWRITE', [], 'neither files nor'],
  ['ids that are taken', two, 'DECOMPOSE', ['T-3-b'], 'T-3-b cannot be given'],
])('refuses %s', (_, tasks, strategy, others, reason) => {
  const checked = checkProposedTasks(tasks, task, strategy, others)
  expect(checked).toEqual({ status: 'refused', reason: expect.stringContaining(reason) })
})

it('makes every text harmless', () => {
  const hostile = raw('- [ ] T-9: Add <!-- the\n\n# cart \u202E', {
    details: ['- [x] Done', '\n', '<b>bold</b>'],
    files: ['../etc/passwd', 'src/a.js', './src/a.js', '/abs', '`src/b.js`'],
  })
  const checked = checkProposedTasks([hostile, raw('Add the rest')], task, 'DECOMPOSE', [])
  if (checked.status !== 'ok') throw new Error(checked.reason)
  expect(checked.tasks[0]).toEqual({
    id: 'T-3-a',
    title: 'Add &lt;!-- the # cart',
    details: ['Done', '&lt;b>bold&lt;/b>'],
    files: ['src/a.js', 'src/b.js'],
  })
  const listed = checked.tasks.map(({ id, title }) => `- [ ] ${id}: ${title}\n`).join('')
  expect(readRoadmap(listed).tasks).toHaveLength(2)
})

it.each<[string, number | null]>([
  ['[{"title": "a b"}, {"title": "c d", "details": "one", "files": ["x.js"]}]', 2],
  ['Sure:\n```json\n{"tasks": [{"title": "a b"}]}\n```', 1],
  ['[1, null, "x", {"name": "no title"}]', 0],
  ['no list', null],
  ['[', null],
])('reads %j as %s tasks', (answer, count) => {
  const read = readProposedTasks(answer)
  expect('value' in read ? read.value.length : null).toBe(count)
})

it.each<[string, boolean]>([
  ['[{"title": "a b", "transactional": true}, {"title": "c d"}]', true],
  ['{"transactional": true, "tasks": [{"title": "a b"}, {"title": "c d"}]}', true],
  ['[{"title": "a b", "transactional": "true"}, {"title": "c d", "transactional": 1}]', false],
  [
    '[{"title": "a b", "together": true}, {"title": "c d", "details": ["transactional: true"]}]',
    false,
  ],
])('reads in %j whether its parts belong together', (answer, isWhole) => {
  const read = readProposedTasks(answer)
  const tasks = 'value' in read ? read.value.map((each) => ({ ...each, files: ['a.js'] })) : []
  const checked = checkProposedTasks(tasks, task, 'DECOMPOSE', [])
  if (checked.status !== 'ok') throw new Error(checked.reason)
  expect(checked.tasks.map(({ together }) => together ?? false)).toEqual([isWhole, isWhole])
})
