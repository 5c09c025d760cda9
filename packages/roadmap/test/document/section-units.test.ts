import { describe, expect, it } from 'vitest'
import { readRoadmap } from '../../document/read-roadmap.ts'

const read = (lines: readonly string[]) => readRoadmap(lines.join('\n'))
const detailsOf = (lines: readonly string[]) => read(lines).tasks.map(({ details }) => details)

describe('the text of a task', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['bullets right below it', ['- [ ] a', '- one', '- two', '- [ ] b'], ['- one\n- two', '']],
    ['a fence right below it', ['- [ ] a', '```js', 'x', '```', '- [ ] b'], ['```js\nx\n```', '']],
    [
      'a fence that is indented too little',
      ['1. [ ] a', '', '  ```js', '  x', '  ```', '2. [ ] b'],
      ['```js\nx\n```', ''],
    ],
    ['a quote right below it', ['- [ ] a', '> why', '- [ ] b'], ['> why', '']],
    [
      'all up to the next box where sections are written so',
      ['- [ ] a', '', 'Run:', '', '```', 'x', '```', '', '- [ ] b', '', 'Look.', '', '## Next'],
      ['Run:\n\n```\nx\n```', 'Look.'],
    ],
    [
      'what a section of one task says',
      ['## 1.1 A', '- [ ] a', '', 'In `a.js`.', '', '- first', '## B'],
      ['In `a.js`.\n\n- first'],
    ],
    ['no closing words of a list', ['## A', '- [ ] a', '- [ ] b', '', 'All in May.'], ['', '']],
    [
      'no words that lead to the next list',
      ['## A', '- [ ] a', '', 'Frontend:', '', '- [ ] b', '', '**Backend**', '', '- [ ] c'],
      ['', '', ''],
    ],
    ['nothing behind a rule', ['## A', '- [ ] a', '', '---', '', 'Notes.'], ['']],
    ['nothing behind a comment', ['- [ ] a', '<!-- x -->', 'text'], ['']],
    ['no plain item with boxes of its own', ['- [ ] a', '- Group', '  - [ ] b'], ['', '']],
  ])('is, or is not: %s', (_, lines, expected) => expect(detailsOf(lines)).toEqual(expected))

  it('reaches to its last line, and is replaced and read with it', () => {
    const { tasks } = read(['- [ ] a', '- Files: `a.js`', '- Depends on: b', '- [ ] b'])
    expect(tasks[0]).toMatchObject({ line: 1, endLine: 3, files: ['a.js'] })
    expect(tasks[0]?.dependsOn).toEqual([tasks[1]?.id])
  })

  it('is known without it to work that a version before began', () => {
    const [task] = read(['- [ ] T-1 a', '- one', '- [ ] T-2 b']).tasks
    const [before] = read(['- [ ] T-1 a', '- [ ] T-2 b']).tasks
    expect(task?.former).toEqual({ id: 'T-1', fingerprint: before?.fingerprint })
    expect(before?.former).toBeUndefined()
  })
})

describe('the files of a section', () => {
  const files = ['**Files:**', '- Create: `src/a.js`', '- Modify: `src/b.js:12-40` (near `go`)', '']

  it('are those of its only task', () => {
    const { tasks } = read(['### Task 1', ...files, '- [ ] Do it'])
    expect(tasks[0]?.files).toEqual(['src/a.js', 'src/b.js'])
  })

  it('are of several tasks as far as each names them', () => {
    const { tasks } = read(['### 1', ...files, '- [ ] Add `src/a.js`', '- [ ] Use b.js', '- [ ] c'])
    expect(tasks.map((task) => task.files)).toEqual([['src/a.js'], ['src/b.js'], []])
  })
})

it.each([
  ['## Success Criteria\n- [ ] Cleaner codebase'],
  ['## Definition of Done (v1)\n- [ ] Green'],
  ['**Acceptance criteria**:\n\n- [ ] Green\n- [ ] Fast'],
  ['Exit criteria:\n- [ ] Green'],
  ['- Expected outcomes\n  - [ ] Faster'],
])('criteria are no tasks: %j', (text) => {
  expect(readRoadmap(`## A\n- [ ] a\n\n${text}`).tasks.map(({ title }) => title)).toEqual(['a'])
})

it.each([
  '# Stories\n\n### FOO-1: Reload\n\n**Acceptance Criteria:**\n- [ ] a\n\n### FOO-2: Count\n\n- [ ] b',
  '# Stories\n\n## One\n\n### Acceptance criteria\n- [ ] a\n\n## Two\n- [ ] b',
])('criteria are the tasks of a part that has no others: %j', (text) => {
  expect(readRoadmap(text).tasks.map(({ title }) => title)).toEqual(['a', 'b'])
})

it.each(['## Outcomes page', '## Benefits of the new parser, part 1', 'Tasks:'])(
  'other words are no criteria: %j',
  (text) => expect(readRoadmap(`${text}\n\n- [ ] a`).tasks).toHaveLength(1),
)
