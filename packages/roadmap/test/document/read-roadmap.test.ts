import { describe, expect, it, test } from 'vitest'
import { isTaskId, type Task } from '../../../task/task-schema.ts'
import { readRoadmap } from '../../document/read-roadmap.ts'

function read(text: string): readonly Task[] {
  return readRoadmap(text).tasks
}

function readOne(text: string): Task {
  const [task, ...more] = read(text)
  if (!task || more.length > 0) throw new Error(`not one task: ${text}`)
  return task
}

function problemsOf(text: string): string[] {
  const problems = readRoadmap(text).problems.filter(({ rule }) => !rule.startsWith('unread-'))
  return problems.map(({ rule, severity, line }) => `${severity} ${rule} ${line}`)
}

describe('ids and titles', () => {
  test.each([
    ['T-101 Add it', 'T-101', 'Add it'],
    ['T-101: Add it', 'T-101', 'Add it'],
    ['T-101 — Add it', 'T-101', 'Add it'],
    ['[T-101] Add it', 'T-101', 'Add it'],
    ['[T-101]: Add it', 'T-101', 'Add it'],
    ['[T-101](https://example.com/1) Add it', 'T-101', 'Add it'],
    ['`T-101` Add it', 'T-101', 'Add it'],
    ['**T-101**: Add it', 'T-101', 'Add it'],
    ['**T-101: Add it**', 'T-101', 'Add it'],
    ['**[T-101]** Add `it`', 'T-101', 'Add `it`'],
    ['T009 Add it', 'T-009', 'Add it'],
    ['T009 [P] [US1] Add it in src/a.py', 'T-009', '[US1] Add it in src/a.py'],
    ['1.2.3 Add it', 'T-1.2.3', 'Add it'],
    ['Task 1.2: Add it', 'T-1.2', 'Add it'],
    ['T-auth: Add it', 'T-auth', 'Add it'],
    ['T-3-a Add it', 'T-3-a', 'Add it'],
    ['T-1 Add it (depends on T-1.5)', 'T-1', 'Add it'],
    ['T-1 Add **bold** and ~~old~~ [words](/x)', 'T-1', 'Add bold and old words'],
    ['T-1 Add <!-- T-2 --> it', 'T-1', 'Add it'],
    ['T-1 Match `src/**/*.ts` and `<!-- -->`', 'T-1', 'Match `src/**/*.ts` and `<!-- -->`'],
    ['T-1', 'T-1', 'T-1'],
    ['ENG-42: Add it', 'ENG-42', 'Add it'],
    ['ENG-42 Add it', 'ENG-42', 'Add it'],
    ['[AUTH-1] add it', 'AUTH-1', 'add it'],
    ['**P-1**: Add it', 'P-1', 'Add it'],
    ['`AUTH-API-001` – Add it', 'AUTH-API-001', 'Add it'],
    ['**AUTH-02**：add it', 'AUTH-02', 'add it'],
    ['HTTP-01: Add it', 'HTTP-01', 'Add it'],
    ['#17 Add it', 'T-17', 'Add it'],
    ['[#17](https://example.com/17): add it', 'T-17', 'add it'],
    ['Task 1.2 Add it', 'T-1.2', 'Add it'],
    ['1.2 add it', 'T-1.2', 'add it'],
  ])('%j is %s', (text, id, title) => {
    expect(readOne(`- [ ] ${text}`)).toMatchObject({ id, title })
  })

  test.each([
    'T-shirt sizes',
    'Task 3: Add it',
    '1. Add it',
    'TODO list',
    'Test T-1',
    '3 small things',
    '[Tests] Add it',
    'Türme bauen',
    'Task 1.1 attempts execution',
    'UTF-8 Support everywhere',
    'SHA-256 hashes of files',
    'ENG-42 was wrong about it',
    'Pre-commit hook: add it',
    'e2e-2 tests',
    '#17, #18: fix both',
  ])('%j holds no id', (text) => {
    const task = readOne(`- [ ] ${text}`)
    expect(task.id).toMatch(/^T-[0-9a-f]{7}$/)
    expect(task.title).toBe(text)
    expect(problemsOf(`- [ ] ${text}`)).toEqual([])
  })

  test.each([
    'T-../x Add',
    'T-a..b Add',
    'T-1. Add',
    'T-x.lock Add',
    'T- Add',
    'T--force Add',
    '[T-a b] Add',
    '[T-1;rm] Add',
    '**T-1/2** Add',
    'T-$(id) Add',
    'T-`id` Add',
    'T-1\u200b Add',
    'T-1\u202e Add',
    'T-é1 Add',
    `T-${'1'.repeat(65)} Add`,
    'T-@{1} Add',
    'T-1~2 Add',
    'T-1\\2 Add',
  ])('%j is refused as an id', (text) => {
    expect(problemsOf(`\n- [ ] ${text}`)).toEqual(['error invalid-id 2'])
    expect(isTaskId(readOne(`\n- [ ] ${text}`).id)).toBe(true)
  })

  it('come from the section that holds one task, and with a hash where it holds several', () => {
    const text =
      '## 1.1 A\n- [ ] one\n## 1.2 B\n- [ ] two\n- [ ] three\n- [ ] T-9 four\n## C\n- [ ] five'
    const ids = read(text).map(({ id }) => id)
    expect(ids[0]).toBe('T-1.1')
    expect(ids[1]).toMatch(/^T-1\.2-[0-9a-f]{7}$/)
    expect(ids[2]).toMatch(/^T-1\.2-[0-9a-f]{7}$/)
    expect(ids[3]).toBe('T-9')
    expect(ids[4]).toMatch(/^T-[0-9a-f]{7}$/)
    expect(new Set(ids).size).toBe(5)
  })

  it('have the phase in front where two phases use one section number', () => {
    const phase = (n: number) => `## Phase ${n}\n### 1.1 A\n- [ ] task\n### ${n}.7 B\n- [ ] other\n`
    const ids = read(phase(1) + phase(2)).map(({ id }) => id)
    expect(ids).toEqual(['T-1-1.1', 'T-1.7', 'T-2-1.1', 'T-2.7'])
  })

  it('do not move when tasks are inserted, reordered or ticked', () => {
    const before = read('# A\n- [ ] one\n- [ ] two\n## B\n- [ ] three')
    const after = read(
      '# A\n- [ ] new\n- [x] two\n\n  more\n- [ ] one\n- [ ] new 2\n## B\n- [~] three',
    )
    const idOf = (tasks: readonly Task[], title: string) => tasks.find((t) => t.title === title)?.id
    for (const { id, title } of before) expect(idOf(after, title)).toBe(id)
  })
})

it('tells tasks of one title apart by their details', () => {
  const [a, b, c] = read('# A\n- [ ] Write tests\n  - of a\n- [ ] Write tests\n  - of b\n- [ ] c')
  expect(a?.id).toMatch(/^T-[0-9a-f]{12}$/)
  expect(b?.id).toMatch(/^T-[0-9a-f]{12}$/)
  expect(b?.id).not.toBe(a?.id)
  expect(c?.id).toMatch(/^T-[0-9a-f]{7}$/)
})

it('takes tasks of the same words in one place for one, open while one of them is', () => {
  const [done, open] = read('- [x] a\n- [ ] a\n- [ ] b')
  expect(done).toMatchObject({ title: 'a', status: 'pending', subtasks: [{ title: 'a', line: 2 }] })
  expect(open).toMatchObject({ title: 'b' })
})

describe('fingerprints', () => {
  const fingerprint = (text: string) => readOne(text).fingerprint
  const base = '- [ ] T-1 Add it\n  - some words\n  - [ ] part'

  test.each([
    ['the tick', '- [x] T-1 Add it\n  - some words\n  - [x] part'],
    ['the line endings', '- [ ] T-1 Add it\r\n  - some words\r\n  - [ ] part'],
    ['the bullets and the indentation', '* [ ] T-1  Add it\n\t* some   words\n\t* [ ] part'],
    ['the place', '# Up\n\ntext\n\n- [ ] T-1 Add it\n  - some words\n  - [ ] part\n'],
    ['the id', '- [ ] T-2 Add it\n  - some words\n  - [ ] part'],
  ])('do not depend on %s', (_, text) => expect(fingerprint(text)).toBe(fingerprint(base)))

  test.each([
    ['the title', base.replace('Add', 'Drop')],
    ['the details', base.replace('some', 'other')],
    ['a subtask', base.replace('part', 'whole')],
  ])('depend on %s', (_, text) => expect(fingerprint(text)).not.toBe(fingerprint(base)))
})

describe('structure', () => {
  test.each([
    [' ', 'pending'],
    ['x', 'done'],
    ['X', 'done'],
    ['~', 'in_progress'],
    ['/', 'in_progress'],
    ['-', 'cancelled'],
    ['!', 'blocked'],
  ])('[%s] is %s', (mark, status) => expect(readOne(`1. [${mark}] a`).status).toBe(status))

  it('is the headings above, with phase and section', () => {
    const text =
      '# Plan\n## 🚀 Phase 2: Build\n### 1.2 **Part** ###\n#### Notes\n- [ ] a\n# Other\n- [ ] b'
    const [a, b] = read(text)
    expect(a).toMatchObject({
      headings: ['Plan', '🚀 Phase 2: Build', '1.2 Part', 'Notes'],
      phase: '2',
      section: '1.2',
    })
    expect(b).toMatchObject({ headings: ['Other'], phase: null, section: null })
  })

  it('keeps the details word for word, without their indentation', () => {
    const text =
      '1. [ ] T-1 Add it\r\n   - Use **bold**\r\n\r\n     ```js\r\n     a  <b>\r\n     ```\r\n   - [x] part\r\n\r\nAfter\r\n'
    expect(readOne(text)).toMatchObject({
      details: '- Use **bold**\n\n  ```js\n  a  <b>\n  ```\n- [x] part',
      line: 1,
      endLine: 7,
      subtasks: [{ title: 'part', status: 'done', line: 7 }],
    })
  })

  it('takes a wrapped title whole, and a new sentence as a detail', () => {
    expect(readOne('- [ ] Add the function\n  that greets\n  It is short.')).toMatchObject({
      title: 'Add the function that greets',
      details: 'It is short.',
    })
    expect(readOne('- [ ] Add it.\n  the rest')).toMatchObject({
      title: 'Add it.',
      details: 'the rest',
    })
  })

  const nested =
    '- [ ] T-1 Up\n  - Note\n  - [ ] T-2 Down\n    - [x] deep\n- Group\n  - [ ] Same\n- Group 2\n  - [ ] Same'

  it('makes nested boxes subtasks, but those under a plain item tasks', () => {
    const tasks = read(nested)
    expect(tasks.map(({ title }) => title)).toEqual(['Up', 'Same', 'Same'])
    expect(tasks[0]?.subtasks.map(({ title }) => title)).toEqual(['Down', 'deep'])
    expect(tasks.map(({ headings }) => headings)).toEqual([[], ['Group'], ['Group 2']])
    expect(problemsOf(nested)).toEqual([])
  })

  it('makes each leaf a task where asked', () => {
    const tasks = readRoadmap(nested, { granularity: 'leaf' }).tasks
    expect(tasks.map(({ title }) => title)).toEqual(['deep', 'Same', 'Same'])
    expect(tasks[0]?.headings).toEqual(['Up', 'Down'])
  })
})

describe('metadata', () => {
  test.each([
    ['a bullet', '- [ ] a\n  - **Files**: `a.js`, `src/**`'],
    ['a bullet without bold', '- [ ] a\n  - Files: `a.js`, `src/**`'],
    ['the colon in bold', '- [ ] a\n  * **Files:** `a.js` and `src/**`'],
    ['singular, lower case', '- [ ] a\n  - file: `a.js`, `src/**`'],
    ['a line', '- [ ] a\n  Files: `a.js`, `src/**`'],
    ['a line that is not indented', '- [ ] a\n**Files**: `a.js`, `src/**`'],
    ['a paragraph', '- [ ] a\n\n  **Files**: `a.js`, `src/**`'],
    ['no back-ticks', '- [ ] a\n  Files: a.js, src/** (new)'],
    ['a list of its own', '- [ ] a\n  - **Files**:\n    - `a.js`\n    - `src/**` for the rest'],
    ['a list under a line', '- [ ] a\n  Files to create:\n  - `./a.js`\n  - `src/**`'],
    ['a wrapped line', '- [ ] a\n  - Files: `a.js`,\n    `src/**`'],
    ['two on a line', '- [ ] a\n  - **Priority**: high | **Files**: `a.js`, `src/**`'],
    ['deeper', '- [ ] a\n  - words\n    - **Files**: `a.js`, `src/**`'],
    ['CRLF and tabs', '- [ ] a\r\n\t- **Files**: `a.js`, `src/**`\r\n'],
  ])('is read from %s', (_, text) => {
    expect(readOne(text)).toMatchObject({ title: 'a', files: ['a.js', 'src/**'] })
  })

  test.each([
    ['a comment', '- [ ] a\n  - <!-- **Files**: `a.js` -->'],
    ['a comment over lines', '- [ ] a <!--\n  **Files**: `a.js`\n  -->'],
    ['an HTML block', '- [ ] a\n  <div hidden>\n  **Files**: `a.js`\n  </div>'],
    ['a fence', '- [ ] a\n  ```\n  **Files**: `a.js`\n  ```'],
    ['a sentence', '- [ ] a\n  - Look at the files: `a.js`'],
    ['a line after the item', '- [ ] a\n\n**Files**: `a.js`'],
  ])('is not read from %s', (_, text) => expect(readOne(text).files).toEqual([]))

  it('has commands, a test command, a model, a budget and a priority', () => {
    const task = readOne(
      '- [ ] a\n  - Accept: `npm test`, `node a.js --x "1 2"`\n  - Accept: npm run lint\n  - Verify: `npm run t`\n  - **Model**: `small-1`\n  - Budget: 20k tokens, $0.10\n  - Priority: P1',
    )
    expect(task).toMatchObject({
      accept: ['npm test', 'node a.js --x "1 2"', 'npm run lint'],
      verify: 'npm run t',
      model: 'small-1',
      budget: { tokens: 20_000, dollars: 0.1 },
      priority: -1,
    })
    expect(readOne('- [ ] a\n  - Accept: it works\n  - Verify: by hand')).toMatchObject({
      accept: [],
      verify: null,
    })
  })

  test.each([
    ['1,500 tokens', 1500, null],
    ['1.5M tokens', 1_500_000, null],
    ['$2', null, 2],
    ['.5 dollars', null, 0.5],
    ['3 USD', null, 3],
    ['$.50', null, 0.5],
  ])('reads the budget %j', (text, tokens, dollars) => {
    expect(readOne(`- [ ] a\n  Budget: ${text}`).budget).toEqual({ tokens, dollars })
  })

  it('takes the priority of the innermost heading, unless the task has one', () => {
    const text =
      '## Phase 1\n> **Goal**: x\n> **Priority**: low\n\n- [ ] a\n### 1.1 B\n**Priority**: Critical\n- [ ] b\n- [ ] c\n  - Priority: medium'
    expect(read(text).map(({ priority }) => priority)).toEqual([1, -2, 0])
  })

  it('leaves out paths that are not inside the repository, and says so', () => {
    const text = '- [ ] a\n  - Files: `../x`, `/etc/passwd`, `C:\\x`, `a/../../b`, `ok.js`'
    expect(readOne(text).files).toEqual(['ok.js'])
    expect(problemsOf(text)).toEqual(Array(4).fill('warning invalid-path 2'))
  })
})

describe('dependencies', () => {
  const plan = `# Plan
## Phase 1: Start
### 1.1 First
- [x] T-1 one
### 1.2 Second
- [ ] two
- [ ] T-3 three
  - [ ] T-31 part
## Phase 2: Rest
- [ ] T-4 four
- [ ] Task 5: five
- [ ] T-44 Fix #44
`
  it.each<[string, string, readonly string[], readonly string[] | undefined]>([
    ['of another repository', '  - **Depends on**: api:T-1', [], ['api:T-1']],
    [
      'of both',
      '  - **Depends on**: `web-app:ENG-4`, T-1 and api:T-1.2',
      ['T-1'],
      ['web-app:ENG-4', 'api:T-1.2'],
    ],
    ['twice', '  - **Depends on**: api:T-1\n  - **Depends on**: api:T-1', [], ['api:T-1']],
    ['without the own id of the same name', '  - **Depends on**: api:T-9', [], ['api:T-9']],
    ['not in an address', '  - **Depends on**: https://api.example:T-1/, T-1', ['T-1'], undefined],
    ['not in capitals', '  - **Prerequisite**: API:T-1', ['T-1'], undefined],
  ])('%s', (_, below, dependsOn, elsewhere) => {
    const text = `- [ ] T-1: a\n- [ ] T-9: b\n${below}\n`
    const found = read(text).at(-1)
    expect([found?.dependsOn, found?.elsewhere]).toEqual([dependsOn, elsewhere])
    expect(read(`- [ ] T-9: b (depends on api:T-1)\n`)[0]?.elsewhere).toEqual(['api:T-1'])
  })

  const dependenciesOf = (text: string) => read(`${plan}- [ ] T-9 ${text}`).at(-1)?.dependsOn
  const two = read(plan)[1]?.id
  const five = read(plan)[4]?.id

  test.each([
    ['nine (depends on T-1)', ['T-1']],
    ['nine (depends on 1.1)', ['T-1']],
    ['nine (depends on T-1, t-3 and `T-4`)', ['T-1', 'T-3', 'T-4']],
    ['nine (after T-4) (blocked by T-1)', ['T-4', 'T-1']],
    ['nine (after lunch)', []],
    ['nine — blocked by 1.1', ['T-1']],
    ['nine, depends on 1.1', ['T-1']],
    ['nine [depends: 1.1]', ['T-1']],
    ['nine — needs 1.1 and T-4', ['T-1', 'T-4']],
    ['nine (after three)', ['T-3']],
    ['nine - requires phase 1', ['T-1', two, 'T-3']],
    ['nine\n  - Requires 1.1', ['T-1']],
    ['nine\n  - It waits (after three).', ['T-3']],
    ['nine\n- Blocked by T-4', ['T-4']],
    ['nine (depends on #44)', ['T-44']],
    ['nine, which needs 1.1 GB of memory', []],
    ['nine\n  - Requires Python 1.1', []],
    ['nine\n  ```\n  - Requires 1.1\n  ```', []],
    ['nine — needs T-9', []],
    ['nine\n  - **Depends on**: T-1, T-3', ['T-1', 'T-3']],
    ['nine\n  - Depends: T001', ['T-1']],
    ['nine\n  Dependencies: [T-1] (the start); T-3', ['T-1', 'T-3']],
    ['nine\n  - Depends on:\n    - T-1\n    - T-3 three', ['T-1', 'T-3']],
    ['nine\n  - Depends on: 1.2', [two, 'T-3']],
    ['nine\n  - Depends on: Section 1.2', [two, 'T-3']],
    ['nine\n  - Depends on: Phase 1', ['T-1', two, 'T-3']],
    ['nine\n  - Depends on: phases 1 and 2', ['T-1', two, 'T-3', 'T-4', five, 'T-44']],
    ['nine\n  - Depends on: Task 5', [five]],
    ['nine\n  - Depends on: two', [two]],
    ['nine\n  - Depends on: Second', undefined],
    ['nine\n  - Depends on: T-31', ['T-3']],
    ['nine\n  - Depends on: none', []],
    ['nine\n  - Depends on: N/A', []],
    ['nine\n  - **Depends on**: Nothing (first phase)', []],
    ['nine\n  - depends: —', []],
    ['nine\n  - Dependencies: express, an account, Python 3.11', []],
  ])('of %j are %j', (text, expected) => {
    expect(dependenciesOf(text)).toEqual(expected ?? [two, 'T-3'])
    expect(problemsOf(`${plan}- [ ] T-9 ${text}`)).toEqual([])
  })

  it('of a phase are those of each of its tasks', () => {
    const text = `${plan}## Phase 3: End\n> **Goal**: ship\n> **Prerequisite**: Phase 1 complete, Node 24\n### 3.1 A\n- [ ] a\n- [ ] b`
    const last = read(text).slice(-2)
    expect(last.map(({ dependsOn }) => dependsOn)).toEqual(Array(2).fill(['T-1', two, 'T-3']))
    expect(problemsOf(text)).toEqual([])
  })

  it('of an issue, and of a heading, are those that they name', () => {
    const text =
      '## A\n- [ ] #1 - a\n- [ ] #2 - b — blocked by #1\n## B (depends on #2)\n- [ ] c\n- [ ] Fix d (#90)\n- [ ] e (depends on #90)'
    const [, , , d] = read(text)
    expect(read(text).map(({ dependsOn }) => dependsOn)).toEqual([
      [],
      ['T-1'],
      ['T-2'],
      ['T-2'],
      [d?.id, 'T-2'],
    ])
  })

  it('of the box of a phase are those of its section, and of its tasks', () => {
    const text = `# Plan
- [ ] **Phase 19: Start**
- [ ] **Phase 20: Sync** - retries
- [ ] Phase 21

### Phase 19: Start
- [ ] 19-01: Begin
### Phase 20: Sync
**Depends on**: Phase 19

Retry three times.
### Phase 21
**Depends on**: Phase 20
`
    const [start, sync, last, begin] = read(text)
    expect(start?.dependsOn).toEqual([begin?.id])
    expect(sync?.dependsOn).toEqual([start?.id, begin?.id])
    expect(sync?.details).toBe('**Depends on**: Phase 19\n\nRetry three times.')
    expect(last?.dependsOn).toEqual([sync?.id])
    expect(readRoadmap(text).problems).toEqual([])
  })

  it('name the section of their own phase where two phases share a number', () => {
    const phase = (n: number) =>
      `## Phase ${n}\n### 1.1 A\n- [ ] a\n### 1.2 B\n- [ ] b (depends on 1.1)\n`
    const tasks = read(phase(1) + phase(2))
    expect(tasks.map(({ dependsOn }) => dependsOn)).toEqual([[], ['T-1-1.1'], [], ['T-2-1.1']])
  })
})

describe('problems', () => {
  test.each([
    ['the same id twice', '- [ ] T-1 a\n- [x] T-1 b', ['error duplicate-id 2']],
    ['ids that differ in case', '- [ ] T-a1 a\n- [ ] T-A1 b', ['error duplicate-id 2']],
    ['the id of another tracker twice', '- [ ] ENG-1: a\n- [x] ENG-1: b', ['error duplicate-id 2']],
    ['a written and a derived id', '- [ ] T-1.1 a\n## 1.1 B\n- [ ] b', []],
    ['the same title twice', '- [ ] a\n- [ ] a', ['note same-task 2']],
    ['the same finished title twice', '- [x] a\n- [-] a', ['note same-task 2']],
    ['the same title with other details', '- [ ] a\n  b\n- [ ] a\n  c', []],
    ['what may be an id twice', '- [ ] #7 Add a\n- [ ] #7 Add b', []],
    ['an issue and an id of its number', '- [ ] #7 Add a\n- [ ] T-7 Add b', []],
    [
      'a cycle',
      '- [ ] T-1 a (depends on T-2)\n- [ ] T-2 b (depends on T-1)',
      ['error dependency-cycle 1'],
    ],
    ['a task on itself', '- [ ] T-1 a (depends on T-1)', ['error dependency-cycle 1']],
    ['a cycle that is done with', '- [x] T-1 a (depends on T-2)\n- [ ] T-2 b (depends on T-1)', []],
    ['nothing of that id', '- [ ] T-1 a (depends on T-7)', ['error unknown-dependency 1']],
    ['nothing of that number', '- [ ] a\n  - Depends on: 9.9', ['error unknown-dependency 2']],
    [
      'no such phase',
      '# Phase 1\n> Prerequisite: Phase 7\n\n- [ ] a\n- [ ] b',
      ['error unknown-dependency 2'],
    ],
    ['words', '- [ ] a\n  - Depends on: the parser', ['error unknown-dependency 2']],
    ['a hostile name', '- [ ] a\n  - Depends on: T-../x', ['error unknown-dependency 2']],
    [
      'an ambiguous name',
      '- [ ] A\n## B\n- [ ] A\n- [ ] T-1 c (depends on A)',
      ['error unknown-dependency 4'],
    ],
    ['an issue that waits for another', '- [ ] #1 - a\n- [ ] #2 - b — blocked by #1', []],
    ['an issue that another fixes', '- [ ] Fix #90\n- [ ] b (depends on #90)', []],
    [
      'a finished task on nothing',
      '- [x] T-1 a (depends on T-7)',
      ['warning unknown-dependency 1'],
    ],
  ])('are found: %s', (_, text, expected) => expect(problemsOf(text)).toEqual(expected))

  it('name the lines', () => {
    const [duplicate] = readRoadmap('- [ ] T-1 a\n- [ ] b\n- [ ] T-1 c').problems
    expect(duplicate?.message).toBe('2 tasks have the id T-1: lines 1, 3.')
    const [cycle] = readRoadmap(
      '- [ ] T-0 z (depends on T-1)\n- [ ] T-1 a (depends on T-2)\n- [ ] T-2 b (depends on T-1)',
    ).problems
    expect(cycle?.message).toContain('T-1 (line 2) → T-2 (line 3) → T-1')
  })
})
