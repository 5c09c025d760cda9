import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TaskMark, TaskStatus } from '../../../task/task-schema.ts'
import { readRoadmap } from '../../document/read-roadmap.ts'
import { findMarks } from '../../unboxed/find-marks.ts'
import { groundMarks, hasPassages } from '../../unboxed/ground-marks.ts'
import {
  readDocument,
  tickUnboxed,
  withBoxes,
  withWrittenBoxes,
} from '../../unboxed/tick-unboxed.ts'

const emoji = readFileSync(
  new URL('../document/fixtures/emoji-roadmap.md', import.meta.url),
  'utf8',
)

describe('a roadmap of signs', () => {
  it('has a task for each sign that stands for a status, and for no other', () => {
    const { text } = withBoxes(emoji, [])
    const read = readRoadmap(text)
    expect(read.problems.filter(({ severity }) => severity !== 'note')).toEqual([])
    expect(
      read.tasks.map(({ title, status, line, files }) => [line, status, title, files]),
    ).toEqual([
      [9, 'done', 'Set up the project', []],
      [10, 'pending', 'Add `src/greet.js` with `greet(name)`', ['src/greet.js']],
      [14, 'in_progress', 'Nested in a plain bullet – with a dash', []],
      [15, 'pending', 'A box', []],
      [16, 'pending', 'Add login', []],
      [17, 'cancelled', 'Given up', []],
      [23, 'pending', 'Logout page: in `src/logout.js`, please', []],
      [24, 'done', 'Search', []],
      [26, 'pending', 'One line', []],
      [27, 'done', 'Another line', []],
      [29, 'pending', 'Delete accounts', []],
    ])
    expect(read.tasks.at(-1)?.details).toContain('Some words about it.')
  })

  it.each<[string, string, TaskStatus | null]>([
    ['- ⏳ Add login', 'Add login', 'pending'],
    ['- ✅ **Done**: Add login', 'Add login', 'done'],
    ['- ⏳ **Add login** page', '**Add login** page', 'pending'],
    ['* 🚧 Add login', 'Add login', 'in_progress'],
    ['3. ⏭️ Add login', 'Add login', 'cancelled'],
    ['- Add login (⏳ pending)', 'Add login', 'pending'],
    ['- ❌ Add login', 'Add login', 'pending'],
    ['- ⏳ Pending', '', null],
    ['- ✅ Done / shipped', '', null],
    ['- 🚀 Blazing fast', '', null],
    ['- 🎯 Our goal is joy', '', null],
    ['    - ⏳ Code by indentation', '', null],
    ['> - ⏳ A quote', '', null],
    ['<!-- - ⏳ A comment -->', '', null],
    ['```\n- ⏳ A fence\n```', '', null],
    ['## Legend\n\n- ⏳ Things to come', '', null],
    ['- ⏳', '', null],
    ['We ✅ what we said.', '', null],
    ['| a | b |\n|---|---|\n| x ⏳ y | z |', '', null],
  ])('%j: %j, %s', (text, title, status) => {
    const marks = findMarks(text)
    expect(marks.map((mark) => [mark.title, mark.status])).toEqual(
      status === null ? [] : [[title, status]],
    )
  })

  it('takes ornaments for signs only beside real ones, and never beside boxes', () => {
    expect(findMarks('- 🚀 Launch it\n- ✅ Build it')).toHaveLength(2)
    expect(findMarks('- 🚀 Launch it\n- 🎯 Aim it')).toEqual([])
    expect(findMarks('- 🚀 Launch it\n- ⏳ Build it\n- [ ] Sell it')).toMatchObject([
      { title: 'Build it' },
    ])
  })

  it('is also a heading with a status, where no sign is', () => {
    const text = '# Plan\n\n## Words → numbers\n\nStatus: done\n'
    expect([...withBoxes(text, []).marks.values()]).toMatchObject([{ status: 'done' }])
    expect(withBoxes(text.replace('Status', 'State'), []).marks.size).toBe(0)
  })

  it('is ticked by its own sign, and nothing else changes', () => {
    const boxed = readRoadmap(withBoxes(emoji, []).text)
    for (const task of boxed.tasks.filter(({ status }) => status === 'pending')) {
      const edited = tickUnboxed(emoji, task, [])
      if (task.title === 'A box') {
        expect(edited).toBeNull()
        continue
      }
      if (edited?.status !== 'edited') throw new Error(`${task.title}: ${edited?.status}`)
      const [before, after] = [emoji.split('\n'), edited.text.split('\n')]
      const changed = before.flatMap((line, n) => (line === after[n] ? [] : [n + 1]))
      expect(changed, task.title).toEqual([task.line])
      expect(after).toHaveLength(before.length)
      const again = readRoadmap(withBoxes(edited.text, []).text)
      expect(again.tasks.map(({ id, status }) => [id, status])).toEqual(
        boxed.tasks.map(({ id, status }) => [id, id === task.id ? 'done' : status]),
      )
    }
  })
})

const prose = `# Plan

Our shop should feel fast. We **already show** prices in euro.
Next, add a cart page in \`src/cart.js\`, and let people empty it.

- Write the docs
- [x] Boxed already

> Quote: drop the tables

\`\`\`
fence: remove the code
\`\`\`
`

describe('signs among others', () => {
  const read = (text: string) => readDocument(text).roadmap.tasks
  const table = `| ID | Task | Status | Depends on |
|----|------|--------|------------|
| 1.1 | Add the store | ✅ done | - |
| 1.2 | Add login | planned | 1.1 |
| 1.3 | Add logout | moonlit | 1.2 |
`

  it('make tasks of all rows of a table, though one has a word that nobody knows', () => {
    expect(read(table).map(({ id, status, dependsOn }) => [id, status, dependsOn])).toEqual([
      ['T-1.1', 'done', []],
      ['T-1.2', 'pending', ['T-1.1']],
      ['T-1.3', 'blocked', ['T-1.2']],
    ])
  })

  it('make a task of an item with a picture of its own, and it is ticked like them', () => {
    const text = '- ✅ Build it\n- 📅 Ship it\n- ⏳ Sell it\n\n## Notes\n\n- 📅 In May\n'
    const tasks = read(text)
    expect(tasks.map(({ title, status }) => [title, status])).toEqual([
      ['Build it', 'done'],
      ['Ship it', 'pending'],
      ['Sell it', 'pending'],
    ])
    const [, ship] = tasks
    const ticked = ship && tickUnboxed(text, ship, [])
    expect(ticked).toEqual({ status: 'edited', text: text.replace('- 📅 Ship', '- ✅ Ship') })
  })

  it('make a task of a section that tells its status, which is ticked there', () => {
    const text = `# Quests

**Status**: in progress

### Find the sword

- **Status**: Pending
- **Dependencies**: none

In a lake.

### Slay the dragon

**Status:** ⏳ Planned
**Dependencies:** Find the sword
`
    const [sword, dragon, ...more] = read(text)
    expect(more).toEqual([])
    expect(sword).toMatchObject({ title: 'Find the sword', status: 'pending' })
    expect(sword?.details).toContain('In a lake.')
    expect(dragon).toMatchObject({ title: 'Slay the dragon', dependsOn: [sword?.id] })
    const ticked = sword && tickUnboxed(text, sword, [])
    if (ticked?.status !== 'edited') throw new Error('not ticked')
    expect(ticked.text).toBe(text.replace('**Status**: Pending', '**Status**: ✅ done'))
    expect(read(ticked.text).map(({ status }) => status)).toEqual(['done', 'pending'])
  })

  it('are left in tables and headings that boxes are written into', () => {
    const text = `- ⏳ Add login\r\n- a line\n\n${table}\n### 🚧 Delete accounts\n\nAll of them.\n`
    const written = withWrittenBoxes(text, [])
    expect(written.text).toBe(text.replace('⏳', '[ ]'))
    expect(written.marks.size).toBe(1)
    const words = (each: string) => read(each).map(({ title, status }) => [title, status])
    expect(words(written.text)).toEqual(words(text))
  })

  it('make no tasks of a table that tells how far the boxes are', () => {
    const text = `- [x] **Phase 1: Store** - on disk
- [ ] **Phase 2: Login**

| Phase | Plans | Status |
|-------|-------|--------|
| 1. Store | 2/2 | Complete |
| 2. Login | 0/1 | Not started |
| 3. Search | 0/1 | Not started |
`
    expect(read(text).map(({ title }) => title)).toEqual([
      'Phase 1: Store - on disk',
      'Phase 2: Login',
      '3. Search',
    ])
  })

  it('are read at the start of a line that explains them', () => {
    const text =
      '# A\n\n### B\n\n- **Status:** not started (waits for Ada)\n\n### C\n\nStatus: ✅ Done – by Bo.\n'
    expect(read(text).map(({ title, status }) => [title, status])).toEqual([
      ['B', 'pending'],
      ['C', 'done'],
    ])
    const [b] = read(text)
    expect(b && tickUnboxed(text, b, [])).toEqual({
      status: 'edited',
      text: text.replace('not started', '✅ done'),
    })
  })

  it('keep each line its own ending', () => {
    const text = 'One\r\n- ⏳ a b\nTwo words\r\n'
    expect(withBoxes(text, []).text).toBe('One\r\n- [ ] a b\nTwo words\r\n')
  })
})

describe('what a model lists', () => {
  it.each<[string, Partial<TaskMark> | null]>([
    ['add a cart page in `src/cart.js`', { kind: 'prose', line: 4, status: 'pending' }],
    ['Add a cart page in `src/cart.js`', { title: 'Add a cart page in `src/cart.js`' }],
    ['  let people   empty it. ', { title: 'Let people empty it' }],
    ['We already show prices in euro', { kind: 'prose', line: 4 }],
    ['Write the docs', { kind: 'item', line: 6, title: 'Write the docs' }],
    ['write docs', null],
    ['Boxed already', null],
    ['drop the tables', null],
    ['remove the code', null],
    ['rm -rf the server', null],
    ['page', null],
    ['', null],
    ['add a cart page in `src/cart.js`\n- [ ] and more', null],
  ])('%j is taken as %j', (title, wanted) => {
    const { marks, invented } = groundMarks(prose, [{ title, status: 'pending' }])
    expect(marks).toEqual(wanted === null ? [] : [expect.objectContaining(wanted)])
    expect(invented).toHaveLength(wanted === null ? 1 : 0)
  })

  it('becomes boxes after its paragraph, with their sentence as details', () => {
    const { marks } = groundMarks(prose, [
      { title: 'let people empty it', status: 'pending' },
      { title: 'add a cart page in `src/cart.js`', status: 'pending' },
      { title: 'Write the docs', status: 'pending' },
    ])
    const { text } = withBoxes(prose, marks)
    const { tasks, problems } = readRoadmap(text)
    expect(problems.filter(({ severity }) => severity !== 'note')).toEqual([])
    expect(tasks.map(({ title, status }) => [title, status])).toEqual([
      ['Let people empty it', 'pending'],
      ['Add a cart page in `src/cart.js`', 'pending'],
      ['Write the docs', 'pending'],
      ['Boxed already', 'done'],
    ])
    expect(tasks[0]?.details).toBe(
      '- Next, add a cart page in `src/cart.js`, and let people empty it.',
    )
    const [first, , third] = tasks
    if (first === undefined || third === undefined) throw new Error('tasks are missing')
    expect(tickUnboxed(prose, first, marks)).toEqual({ status: 'edited', text: prose })
    expect(tickUnboxed(prose, third, marks)).toEqual({
      status: 'edited',
      text: prose.replace('- Write the docs', '- ✅ Write the docs'),
    })
    expect(tickUnboxed(prose, { id: 'T-none', fingerprint: '' }, marks)).toBeNull()
  })

  it('counts no longer where the words are gone', () => {
    const { marks } = groundMarks(prose, [{ title: 'Write the docs', status: 'pending' }])
    expect(withBoxes(prose.replace('Write the docs', 'Read the docs'), marks).marks.size).toBe(0)
  })
})

it.each([
  ['', false],
  ['# Roadmap\n', false],
  ['# Roadmap\n\n```\nsome code\n```\n', false],
  ['# Roadmap\n\nWe will add a login.\n', true],
  ['- Add a login\n', true],
])('%j has words that a model could find tasks in: %s', (text, has) => {
  expect(hasPassages(text)).toBe(has)
})

it('never throws, keeps the lines of signs, and loses no word', () => {
  const piece = fc.constantFrom(
    '- ⏳ a b',
    '✅ c d',
    '### 🚧 e',
    '| x | ⏳ |',
    '|---|---|',
    '| name | status |',
    '```',
    '> q',
    '- [ ] box',
    '  nested',
    '',
    'prose of words',
    '\uFE0F⏳',
    '<!--',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
      const text = lines.join(end)
      const boxed = withBoxes(text, [])
      expect(boxed.text.split(end)).toHaveLength(Math.max(1, lines.length))
      const { tasks } = readRoadmap(boxed.text)
      for (const task of tasks) expect(() => tickUnboxed(text, task, [])).not.toThrow()
    }),
  )
})
