import { describe, expect, it } from 'vitest'
import { readRoadmap } from '../../document/read-roadmap.ts'
import {
  formatOf,
  importTasks,
  type PlanFormat,
  readPlanFile,
} from '../../exchange/import-tasks.ts'
import { readIssues } from '../../exchange/issues.ts'
import { writeMermaid } from '../../exchange/mermaid.ts'
import { aPlanTask, type PlanTask, UnreadablePlan } from '../../exchange/plan-task.ts'
import { writePlanYaml } from '../../exchange/plan-yaml.ts'

const plan = `tasks:
  - id: T-1
    description: |
      Add a parser

      It reads numbers.
    accept_tests: [npm test]
    budget: {tokens: 20000, dollars: 0.5}
    status: done
  - id: T-2
    description: Add a printer
    owner: ada
    status: In-Progress
    depends_on: [T-1]
    colour: red
  - description: Add docs
    status: someday
    accept_tests: npm run docs
`

const specKit = `# Tasks: Greeting

## Phase 1: Setup

- [x] T001 Create project structure in src/

## Phase 2: Core

- [ ] T002 [P] [US1] Add greet in src/greet.js
- [ ] T003 [US1] Use it in src/main.js (depends on T002)
`

const taskMaster = JSON.stringify({
  master: {
    tasks: [
      {
        ...{
          id: 1,
          title: 'Set up',
          description: 'Start it.',
          details: 'With npm.',
          status: 'done',
        },
        ...{ priority: 'high', dependencies: [], testStrategy: 'npm test passes.' },
        subtasks: [
          { id: 1, title: 'Add package.json', status: 'done', dependencies: [] },
          { id: 2, title: 'Add CI', description: 'On push.', status: 'pending', dependencies: [1] },
        ],
      },
      { id: 2, title: 'Greet', status: 'review', priority: 'low', dependencies: [1], subtasks: [] },
    ],
    metadata: { created: '2026-01-01' },
  },
  'web app': { tasks: [{ id: 1, title: 'Draw it', dependencies: [] }] },
})

const linear = `ID,Team,Title,Description,Status,Estimate,Priority,Project,Assignee,Parent issue,Blocked by
ENG-1,Eng,Add login,"It says ""hello"",
twice.",Todo,3,Urgent,Web,ada@example.org,,
ENG-2,Eng,Add logout,,Canceled,,No priority,Web,,ENG-1,"ENG-1, ENG-9"
`

const jira = `\uFEFFSummary,Issue key,Issue id,Status,Priority,Assignee,Outward issue link (Blocks),Outward issue link (Blocks)\r
Add login,WEB-1,10001,In Progress,Highest,Ada,WEB-2,WEB-3\r
Add logout,WEB-2,10002,Done,Medium,,,\r
Add roles,WEB-3,10003,Waiting for customer,Low,,,\r
`

type Facts = Partial<Omit<PlanTask, 'id'>>
const same = (id: string, title: string, facts: Facts = {}) => aPlanTask({ id, title, ...facts })

describe('a plan of another program is read', () => {
  it.each<[string, PlanFormat, string, readonly PlanTask[], readonly (string | RegExp)[]]>([
    [
      'plan.yaml',
      'plan',
      plan,
      [
        same('T-1', 'Add a parser', {
          ...{ details: 'It reads numbers.', accept: ['npm test'], status: 'done' },
          budget: { tokens: 20_000, dollars: 0.5 },
        }),
        same('T-2', 'Add a printer', { owner: 'ada', status: 'in_progress', dependsOn: ['T-1'] }),
        same('T-3', 'Add docs', { accept: ['npm run docs'] }),
      ],
      [
        'T-2: colour has no place in a roadmap.',
        'T-3: the status "someday" is unknown; it is pending here.',
      ],
    ],
    [
      'specs/tasks.md',
      'spec-kit',
      specKit,
      [
        same('T-001', 'Create project structure in src/', {
          status: 'done',
          headings: ['Phase 1: Setup'],
        }),
        same('T-002', '[US1] Add greet in src/greet.js', { headings: ['Phase 2: Core'] }),
        same('T-003', '[US1] Use it in src/main.js', {
          dependsOn: ['T-002'],
          headings: ['Phase 2: Core'],
        }),
      ],
      [],
    ],
    [
      'tasks.json',
      'task-master',
      taskMaster,
      [
        same('T-1', 'Set up', {
          ...{ status: 'done', priority: -1 },
          details: 'Start it.\n\nWith npm.\n\nTest strategy: npm test passes.\n\nAdd CI: On push.',
          subtasks: [
            { title: 'Add package.json', status: 'done' },
            { title: 'Add CI', status: 'pending' },
          ],
        }),
        same('T-2', 'Greet', { status: 'in_progress', priority: 1, dependsOn: ['T-1'] }),
        same('T-web-app-1', 'Draw it', { headings: ['web app'] }),
      ],
      ['T-1: its subtasks depend on each other; here they are done in their order.'],
    ],
    [
      'linear.csv',
      'csv',
      linear,
      [
        same('ENG-1', 'Add login', {
          ...{ details: 'It says "hello",\ntwice.', priority: -2, headings: ['Web'] },
          owner: 'ada@example.org',
        }),
        same('ENG-2', 'Add logout', {
          ...{ status: 'cancelled', headings: ['Web'], dependsOn: ['ENG-1', 'ENG-9'] },
        }),
      ],
      [
        'ENG-2: it is a part of ENG-1, which a roadmap cannot hold.',
        'Not imported: the columns Team, Estimate.',
      ],
    ],
    [
      'jira.CSV',
      'csv',
      jira,
      [
        same('WEB-1', 'Add login', { status: 'in_progress', priority: -2, owner: 'Ada' }),
        same('WEB-2', 'Add logout', { status: 'done', dependsOn: ['WEB-1'] }),
        same('WEB-3', 'Add roles', { priority: 1, dependsOn: ['WEB-1'] }),
      ],
      [
        /^WEB-3: the status "Waiting for customer" is unknown/,
        'Not imported: the columns Issue id.',
      ],
    ],
  ])('%s', (file, format, text, tasks, notes) => {
    expect(formatOf(file)).toBe(format)
    const read = readPlanFile(text, format)
    expect(read.tasks).toEqual(tasks)
    expect(read.notes).toEqual(
      notes.map((note) => (typeof note === 'string' ? note : expect.stringMatching(note))),
    )
    // What was read is written so that it is read as it is.
    const { text: document, notes: more } = importTasks(read, '')
    expect(more.filter((note) => !read.notes.includes(note))).toEqual(
      tasks.some(({ id }) => id === 'ENG-2')
        ? ['ENG-2: it depends on ENG-9, which is not there.']
        : [],
    )
    expect(readRoadmap(document).problems).toEqual([])
    expect(readRoadmap(document).tasks.map(({ id }) => id)).toEqual(tasks.map(({ id }) => id))
  })

  it.each<[PlanFormat, string]>([
    ['plan', 'a: [b'],
    ['plan', 'tasks: 3'],
    ['plan', 'tasks: [[]]'],
    ['plan', `a: &a [x]\nb: &b [*a,*a]\ntasks: *b`],
    ['plan', 'tasks: [{description: x, budget: {tokens: -1}}]'],
    ['task-master', '{'],
    ['task-master', '[]'],
    ['task-master', '{"tasks": [{"title": "x"}]}'],
    ['csv', 'a,b\n1,2'],
    ['csv', 'Title\n"open'],
    ['csv', ''],
  ])('%s refuses %j in a sentence', (format, text) => {
    expect(() => readPlanFile(text, format)).toThrow(UnreadablePlan)
  })

  it.each<[string, string]>([
    ['7', 'T-7'],
    ['#7', 'T-7'],
    ['1.2', 'T-1.2'],
    ['ENG-42', 'ENG-42'],
    ['setup_db', 'T-setup_db'],
    ['../../x', 'T-x'],
    ['a..b.lock', 'T-task'],
    ['comment-1', 'T-comment-1'],
    ['ü', 'T-task'],
    [' ', 'T-1'],
  ])('the id %j becomes %s', (raw, id) => {
    const entry = JSON.stringify({ tasks: [{ id: raw, description: 'Add it' }] })
    expect(readPlanFile(entry, 'plan').tasks.map((task) => task.id)).toEqual([id])
  })

  it.each<[string | number, number, number]>([
    [1, -1, 0],
    ['P3', 1, 0],
    ['high', -1, 0],
    ['No priority', 0, 0],
    ['soon', 0, 1],
  ])('the priority %j counts as in a roadmap', (priority, expected, notes) => {
    const read = readPlanFile(
      JSON.stringify({ tasks: [{ description: 'Add it', priority }] }),
      'plan',
    )
    expect([read.tasks[0]?.priority, read.notes.length]).toEqual([expected, notes])
  })

  it('gives each task an id of its own, and keeps who needs whom', () => {
    const entry = JSON.stringify({
      tasks: [{ id: 'a b' }, { id: 'a-b' }, { id: 'A b' }, { id: 'c', depends_on: ['A b', 'a b'] }],
    })
    const { tasks } = readPlanFile(entry, 'plan')
    expect(tasks.map(({ id, dependsOn }) => [id, ...dependsOn])).toEqual([
      ['T-a-b'],
      ['T-a-b-2'],
      ['T-A-b-3'],
      ['T-c', 'T-A-b-3', 'T-a-b'],
    ])
  })
})

describe('an import', () => {
  const before = '# Plan\r\n\r\n## Web\r\n\r\n- [x] ENG-1: Add login\r\n'

  it('adds only tasks that are not there, after every byte that is', () => {
    const { text, added, known } = importTasks(readPlanFile(linear, 'csv'), before)
    expect([added, known]).toEqual([['ENG-2'], ['ENG-1']])
    expect(text.startsWith(before)).toBe(true)
    expect(text.slice(before.length)).toBe(
      '\r\n## Web\r\n\r\n- [-] ENG-2: Add logout\r\n  - **Depends on**: ENG-1\r\n',
    )
    const again = importTasks(readPlanFile(linear, 'csv'), text)
    expect([again.text, again.added]).toEqual([text, []])
  })

  it('drops a dependency of a task on itself', () => {
    const { notes } = importTasks(
      { tasks: [same('T-1', 'Add it', { dependsOn: ['T-1'] })], notes: [] },
      '',
    )
    expect(notes).toEqual(['T-1: it depends on T-1, which is not there.'])
  })
})

it('issues become tasks with their own numbers', () => {
  const issue = { body: '', status: 'pending', assignees: [], milestone: null } as const
  const { tasks, notes } = readIssues([
    {
      ...issue,
      number: 3,
      title: 'Add  a\nparser',
      milestone: 'v2',
      body: '**Files**: `src/a.js`\n\nIt reads.\n- [ ] Try it',
    },
    {
      ...issue,
      number: 4,
      title: '- [x] T-9: print',
      status: 'done',
      body: 'Depends on #3, #8 and #4.',
      assignees: ['ada', 'bob'],
    },
  ])
  expect(tasks).toEqual([
    same('T-3', 'Add a parser', {
      ...{ headings: ['v2'], files: ['src/a.js'], details: 'It reads.' },
      subtasks: [{ title: 'Try it', status: 'pending' }],
    }),
    expect.objectContaining({ id: 'T-4', status: 'done', owner: 'ada', dependsOn: ['T-3'] }),
  ])
  expect(notes).toEqual(['T-4: a task has one owner; bob is left out.'])
})

it('a plan has no keys without a value', () => {
  expect(writePlanYaml([same('T-1', 'Add it')])).toBe(
    'tasks:\n  - id: T-1\n    description: Add it\n    status: pending\n',
  )
})

it('a diagram shows what waits for what, and no title can end its node', () => {
  const hostile = same('T-2', 'a"] --> x\n<b>`%%{init}%%', {
    dependsOn: ['T-1', 'T-9'],
    status: 'done',
  })
  const drawn = writeMermaid([same('T-1', 'Add it'), hostile])
  expect(drawn.split('\n').slice(0, 4)).toEqual([
    'flowchart TD',
    '  t1["T-1: Add it"]:::pending',
    '  t2["T-2: a#34;#93; --#62; x #60;b#62;#96;#37;#37;#123;init#125;#37;#37;"]:::done',
    '  t1 --> t2',
  ])
})

it.each([
  ...['agent', 'AI', 'bot', 'executor', 'roadmap-executor[bot]', 'coding agent', 'an agent'],
  ...['none', 'anyone', ''],
])('a plan whose owner is %j is worked on', (owner) => {
  const text = JSON.stringify({ tasks: [{ id: 'T-1', description: 'Add a', owner }] })
  const { text: written, notes } = importTasks(readPlanFile(text, 'plan'), '')
  expect([written.includes('Owner'), notes]).toEqual([false, []])
  expect(readRoadmap(`- [ ] T-1: Add a\n  - Owner: ${owner}\n`).tasks[0]?.owner).toBeUndefined()
})

it('a plan whose owner is a person is left to them, and a failed task is open again', () => {
  const tasks = [{ id: 'T-1', description: 'Add a', owner: 'agentine', status: 'failed' }]
  const { text, notes } = importTasks(readPlanFile(JSON.stringify({ tasks }), 'plan'), '')
  expect([text.split('\n').slice(-3), notes]).toEqual([
    ['- [ ] T-1: Add a', '  - **Owner**: agentine', ''],
    [],
  ])
})
