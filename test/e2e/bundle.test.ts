/** What a user of either gets: each row is played by the bundled CLI and by the bundled Action. */
import { describe, expect, it } from 'vitest'
import {
  edit,
  file,
  multipleAnswers,
  multiples,
  once,
  testOf,
  tool,
  withRoadmap,
} from './action/toolbox.ts'
import { both, doors, endOf, type Row } from './play-row.ts'

const halve = 'T-1: Halve a number, in `src/halve.js`'
const halveTest = testOf('halve', 'assert.equal(halve(4), 2)')
const greet =
  file(
    'src/service.js',
    "import { User } from './models.js'\n\nexport const greet = () => `Hello ${new User().name}`\n",
  ) + file('test/service.test.js', testOf('greet', "assert.equal(greet(), 'Hello Ada')", 'service'))
const isEven = 'export const isEven = (n) => n % 2 === 0\n'
const evenTest = file('test/even.test.js', testOf('isEven', 'assert.ok(isEven(4))', 'even'))
const odd =
  file(
    'src/odd.js',
    "import { isEven } from './even.js'\n\nexport const isOdd = (n) => !isEven(n)\n",
  ) + file('test/odd.test.js', testOf('isOdd', 'assert.ok(isOdd(3))', 'odd'))
const put = `const kept = new Map()

export const put = (at, value) => kept.set(at, value)`
const take = `export const take = (at) => {
  const value = kept.get(at)
  kept.delete(at)
  return value
}`
const swapTest = (at: number) =>
  testOf('swap', `assert.equal(swap(${at}, 'b'), undefined)\n  assert.equal(swap(${at}, 'c'), 'b')`)
const swap = file(
  'src/swap.js',
  "import { put, take } from './store.js'\n\nexport const swap = (at, value) => {\n  const old = take(at)\n  put(at, value)\n  return old\n}\n",
)
const rows: readonly Row[] = [
  {
    it: 'an answer that is right is tested, committed and ticked',
    files: withRoadmap(halve),
    answers: [once('T-1', tool('halve', '(n) => n / 2', 'assert.equal(halve(4), 2)'))],
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'done' },
      asked: ['draft'],
      branches: ['agent/T-1'],
      holds: [
        ['agent/T-1', 'src/halve.js', 'export const halve = (n) => n / 2'],
        ['agent/T-1', 'ROADMAP.md', /- \[x\] T-1: Halve/],
      ],
    },
  },
  {
    it: 'an answer that does not parse is repaired before it is written',
    files: withRoadmap(halve),
    answers: [
      once('T-1', tool('halve', '(n) => {\n  return n / 2', 'assert.equal(halve(4), 2)')),
      {
        when: { purpose: 'repair_code' },
        answers: [edit('src/halve.js', '  return n / 2', '  return n / 2\n}')],
      },
    ],
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'done' },
      asked: ['draft', 'repair_code'],
      branches: ['agent/T-1'],
      holds: [['agent/T-1', 'src/halve.js', /return n \/ 2\n\}/]],
    },
  },
  {
    it: 'an answer that breaks a test is repaired, and the test stays as it is',
    files: { ...withRoadmap(halve), 'test/halve.test.js': halveTest },
    answers: [
      once('T-1', file('src/halve.js', 'export const halve = (n) => n - 1\n')),
      {
        when: { purpose: 'repair_test' },
        answers: [
          edit(
            'src/halve.js',
            'export const halve = (n) => n - 1',
            'export const halve = (n) => n / 2',
          ),
        ],
      },
    ],
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'done' },
      asked: ['draft', 'repair_test'],
      branches: ['agent/T-1'],
      holds: [['agent/T-1', 'test/halve.test.js', halveTest.trimEnd()]],
    },
  },
  {
    it: 'a task that depends on another is stacked on it',
    files: withRoadmap(halve, 'T-2: Quarter a number, in `src/quarter.js` (depends on T-1)'),
    answers: [
      once('T-1', tool('halve', '(n) => n / 2', 'assert.equal(halve(4), 2)')),
      once(
        'T-2',
        file(
          'src/quarter.js',
          "import { halve } from './halve.js'\n\nexport const quarter = (n) => halve(halve(n))\n",
        ) + file('test/quarter.test.js', testOf('quarter', 'assert.equal(quarter(8), 2)')),
      ),
    ],
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'done', 'T-2': 'done' },
      asked: ['draft', 'draft'],
      branches: ['agent/T-1', 'agent/T-2'],
      holds: [['agent/T-2', 'src/halve.js', /n \/ 2/]],
    },
  },
  {
    it: 'a task that comes too early is deferred and done in the end',
    files: withRoadmap(
      'T-1: Quarter a number, in `src/quarter.js`',
      'T-2: Halve a number, in `src/halve.js`',
    ),
    answers: [
      {
        when: { contains: 'TASK T-1:', purpose: 'draft' },
        answers: [1, 2].map(
          () =>
            file(
              'src/quarter.js',
              "import { halve } from './halve.js'\n\nexport const quarter = (n) => halve(halve(n))\n",
            ) + file('test/quarter.test.js', testOf('quarter', 'assert.equal(quarter(8), 2)')),
        ),
      },
      once('T-2', tool('halve', '(n) => n / 2', 'assert.equal(halve(4), 2)')),
    ],
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'done', 'T-2': 'done' },
      asked: ['draft', 'draft', 'draft'],
      branches: ['agent/T-1', 'agent/T-2'],
    },
  },
  {
    it: 'a task that uses what a later one creates waits for it, and not the other way round',
    files: withRoadmap(
      'T-1: Create `src/service.js` with a greeting that uses `User` from `src/models.js`',
      'T-2: Create `src/models.js` with a class `User`',
    ),
    answers: [
      {
        when: {
          contains: "An earlier attempt at this task failed. It needs './models.js'",
          purpose: 'draft',
        },
        answers: [greet],
      },
      once('T-1', greet),
      once('T-2', file('src/models.js', 'export class User {\n  name = "Ada"\n}\n')),
    ],
    settings: { 'max-tasks': '2' },
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'done', 'T-2': 'done' },
      asked: ['draft', 'draft', 'draft'],
      branches: ['agent/T-1', 'agent/T-2'],
      holds: [['agent/T-1', 'src/models.js', /class User/]],
      silent: /Limit reached/,
    },
  },
  {
    it: 'two tasks that need each other end in one change',
    files: withRoadmap(
      'T-1: Create `src/even.js`, which uses `isOdd` from `src/odd.js`',
      'T-2: Create `src/odd.js`, which uses `isEven` from `src/even.js`',
      'T-3: Multiply by 4, in `src/times4.js`',
    ),
    answers: [
      once(
        'T-1',
        file('src/even.js', `import { isOdd } from './odd.js'\n\n${isEven}`) + evenTest,
        file('src/even.js', isEven) + odd + evenTest,
      ),
      ...multipleAnswers(3).slice(2),
    ],
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'done', 'T-2': 'done', 'T-3': 'done' },
      asked: ['draft', 'draft', 'draft'],
      branches: ['agent/T-1', 'agent/T-3'],
      holds: [['agent/T-1', 'src/odd.js', /isOdd/]],
    },
  },
  {
    it: 'a task starts from the branch that has all that it needs of a file',
    files: withRoadmap(
      'T-1.1: Create `src/store.js` with a function `put`',
      'T-1.2: Add `take` to `src/store.js`',
      'T-1.3: Create `src/swap.js`, which uses `src/store.js`',
      'T-1.4: Write tests for `src.swap` in `test/swap.test.js`',
      'T-1.5: Create `src/clear.js`, which uses `src/store.js`',
    ),
    answers: [
      once('T-1.1', file('src/store.js', `${put}\n`)),
      once('T-1.2', edit('src/store.js', put, `${put}\n\n${take}`)),
      once('T-1.3', swap + file('test/swapping.test.js', swapTest(1))),
      once('T-1.4', file('test/swap.test.js', swapTest(2))),
      once(
        'T-1.5',
        file(
          'src/clear.js',
          "import { take } from './store.js'\n\nexport const clear = (at) => take(at)\n",
        ) + file('test/clear.test.js', testOf('clear', 'assert.equal(clear(1), undefined)')),
      ),
    ],
    ends: {
      exit: both(0),
      outcomes: Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`T-1.${at}`, 'done'])),
      asked: ['draft', 'draft', 'draft', 'draft', 'draft'],
      branches: [1, 2, 3, 4, 5].map((at) => `agent/T-1.${at}`),
      holds: [
        ['agent/T-1.3', 'src/store.js', /put[\s\S]*take/],
        ['agent/T-1.4', 'src/swap.js', /swap/],
        ['agent/T-1.5', 'src/store.js', /put[\s\S]*take/],
      ],
    },
  },
  {
    it: 'a task that cannot be done says why, and the next one gets its turn',
    files: { ...withRoadmap(halve, ...multiples(2).slice(1)), 'test/halve.test.js': halveTest },
    answers: [
      once('T-1', file('src/halve.js', 'export const halve = (n) => n - 1\n')),
      {
        when: { purpose: 'repair_test' },
        answers: [1, 3, 5].map((by) =>
          edit(
            'src/halve.js',
            `export const halve = (n) => n - ${by}`,
            `export const halve = (n) => n - ${by + 2}`,
          ),
        ),
      },
      ...multipleAnswers(2).slice(1),
    ],
    ends: {
      exit: both(1),
      outcomes: { 'T-1': 'failed', 'T-2': 'done' },
      asked: ['draft', 'repair_test', 'repair_test', 'repair_test', 'draft'],
      branches: ['agent/T-2'],
      says: /after 4 tries/,
    },
  },
  {
    it: 'what nobody can take back waits for a person',
    files: withRoadmap('T-1: Add a script that clears a folder, `scripts/clear.sh`'),
    answers: [once('T-1', file('scripts/clear.sh', '#!/bin/sh\nrm -rf "$1"\n'))],
    ends: {
      exit: { cli: 3, action: 0 },
      outcomes: { 'T-1': 'waiting' },
      asked: ['draft'],
      branches: [],
      says: /rm -rf/,
    },
  },
  {
    it: 'a file that is protected is not written',
    files: withRoadmap(halve),
    answers: [
      once('T-1', file('.github/workflows/x.yml', 'on: push\n')),
      { when: { purpose: 'repair_code' }, answers: ['No.', 'No.'] },
    ],
    ends: {
      exit: both(1),
      outcomes: { 'T-1': 'failed' },
      asked: ['draft', 'repair_code', 'repair_code'],
      branches: [],
      says: /\.github\/workflows\/x\.yml/,
    },
  },
  {
    it: 'a change that nothing verifies is not counted as a success, and says why',
    files: { 'ROADMAP.md': withRoadmap(halve)['ROADMAP.md'] ?? '' },
    answers: [once('T-1', file('src/halve.js', 'export const halve = (n) => n / 2\n'))],
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'unverified' },
      asked: ['draft'],
      branches: ['agent/T-1'],
      says: /no tests that could show/,
      reports: { successRate: 0, totals: { done: 0, unverified: 1 } },
    },
  },
  {
    it: 'tasks that all lack the same package are not paid for one after the other',
    files: withRoadmap(
      ...[1, 2, 3, 4, 5, 6, 7].map(
        (at) => `T-${at}: Pad by ${at} with left-pad, in \`src/pad${at}.js\``,
      ),
    ),
    answers: [1, 2, 3, 4, 5].map((at) =>
      once(
        `T-${at}`,
        file(
          `src/pad${at}.js`,
          `import leftPad from 'left-pad'\n\nexport const pad${at} = (text) => leftPad(text, ${at})\n`,
        ) +
          file(
            `test/pad${at}.test.js`,
            testOf(`pad${at}`, `assert.equal(pad${at}('a').length, ${at})`),
          ),
      ),
    ),
    ends: {
      exit: both(1),
      outcomes: Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`T-${at}`, 'skipped'])),
      asked: ['draft', 'draft', 'draft', 'draft', 'draft'],
      branches: [],
      says: /npm install left-pad/,
      reports: { limits: ['same_cause'] },
    },
  },
  {
    it: 'a limit on tasks ends a run that goes on the next time',
    files: withRoadmap(...multiples(3)),
    answers: multipleAnswers(3),
    settings: { 'max-tasks': '2' },
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'done', 'T-2': 'done' },
      asked: ['draft', 'draft'],
      branches: ['agent/T-1', 'agent/T-2'],
    },
  },
]

describe.each(doors)('through %s', (_, play) => {
  it.concurrent.each(rows)('$it', async (row) => {
    const [end, printed] = await play(row)
    expect(end, printed).toEqual(endOf(row))
  })
})
