/** What a repository, a roadmap or a weak model brings along: each row through the CLI and the Action. */
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
import { python } from './cli/languages.ts'
import { failing, proposal, writes } from './people/script.ts'
import { both, doors, endOf, type Row } from './play-row.ts'

const roadmap = (text: string): Readonly<Record<string, string>> => ({
  ...withRoadmap(),
  'ROADMAP.md': text,
})
const inPython = (...tasks: readonly string[]): Readonly<Record<string, string>> => ({
  ...python,
  'ROADMAP.md': `# Roadmap\n\n${tasks.map((task) => `- [ ] ${task}\n`).join('')}`,
})
const says = (purpose: string, ...answers: readonly string[]) => ({ when: { purpose }, answers })
const halved = tool('halve', '(n) => n / 2', 'assert.equal(halve(4), 2)')
const padded =
  file(
    'src/pad.js',
    "import leftPad from 'left-pad'\n\nexport const pad = (text) => leftPad(text, 2)\n",
  ) + file('test/pad.test.js', testOf('pad', "assert.equal(pad('a').length, 2)"))
const label = 'def label(jar):\n    return jar.title()\n'
const labelTest = (from: string) =>
  `import unittest\n\nfrom ${from} import label\n\n\nclass LabelTest(unittest.TestCase):\n    def test_label(self):\n        self.assertEqual(label("plum"), "Plum")\n`

const rows: readonly Row[] = [
  {
    it: 'a wrong path in the roadmap means the file that is there',
    files: withRoadmap('T-1: Let `source/add.js` add three numbers'),
    answers: [
      once(
        'T-1',
        edit(
          'src/add.js',
          'export const add = (a, b) => a + b',
          'export const add = (a, b, c = 0) => a + b + c',
        ),
      ),
    ],
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'done' },
      asked: ['draft'],
      branches: ['agent/T-1'],
      holds: [['agent/T-1', 'src/add.js', /c = 0/]],
    },
  },
  {
    it: 'a syntax error that an earlier commit left does not hinder another task',
    files: {
      ...withRoadmap('T-1: Halve a number, in `src/halve.js`'),
      'src/old.js': 'export const old = (\n',
      'test/old.test.js': testOf('old', 'assert.ok(old())'),
    },
    answers: [once('T-1', halved)],
    ends: { exit: both(0), outcomes: { 'T-1': 'done' }, asked: ['draft'], branches: ['agent/T-1'] },
  },
  {
    it: 'what a change breaks in other files is mended with it',
    files: {
      ...withRoadmap('T-1: Give `add` in `src/add.js` a list of numbers'),
      'src/sum.js':
        "import { add } from './add.js'\n\nexport const sum = (a, b, c) => add(add(a, b), c)\n",
      'test/sum.test.js': testOf('sum', 'assert.equal(sum(1, 2, 3), 6)'),
    },
    answers: [
      once(
        'T-1',
        edit(
          'src/add.js',
          'export const add = (a, b) => a + b',
          'export const add = (list) => list.reduce((a, b) => a + b, 0)',
        ) +
          edit(
            'test/add.test.js',
            '  assert.equal(add(2, 3), 5)',
            '  assert.equal(add([2, 3]), 5)',
          ),
      ),
      says(
        'repair_test',
        edit(
          'src/sum.js',
          'export const sum = (a, b, c) => add(add(a, b), c)',
          'export const sum = (...list) => add(list)',
        ),
      ),
    ],
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'done' },
      asked: ['draft', 'repair_test'],
      branches: ['agent/T-1'],
      holds: [['agent/T-1', 'src/sum.js', /\.\.\.list/]],
    },
  },
  {
    it: 'a file that the task promises and the answer leaves out is asked for again',
    files: withRoadmap('T-1: Halve a number\n  - **Files**: `src/halve.js`, `test/halve.test.js`'),
    answers: [
      once('T-1', file('src/halve.js', 'export const halve = (n) => n / 2\n')),
      says('repair_code', file('test/halve.test.js', testOf('halve', 'assert.equal(halve(4), 2)'))),
    ],
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'done' },
      asked: ['draft', 'repair_code'],
      branches: ['agent/T-1'],
      holds: [['agent/T-1', 'test/halve.test.js', /halve\(4\)/]],
    },
  },
  {
    it: 'a package that lacks is named, whatever the model repeats, and the next task runs',
    files: withRoadmap(
      'T-1: Pad a text with left-pad, in `src/pad.js`',
      'T-2: Halve a number, in `src/halve.js`',
    ),
    answers: [
      { when: { contains: 'TASK T-1:' }, answers: [padded, padded, padded, padded, padded] },
      says('repair_code', padded, padded, padded),
      says('repair_test', padded, padded, padded),
      once('T-2', halved),
    ],
    ends: {
      exit: both(1),
      outcomes: { 'T-1': 'skipped', 'T-2': 'done' },
      asked: ['draft', 'draft'],
      branches: ['agent/T-2'],
      says: /npm install left-pad/,
    },
  },
  {
    it: 'a module with dots in a title is the file that another task creates, and both count once',
    files: inPython(
      'T-1: Write tests for `pantry.stock.label` in `tests/test_label.py`',
      'T-2: Create `pantry/stock/label.py`',
    ),
    answers: [
      once('T-2', file('pantry/stock/label.py', label)),
      once(
        'T-1',
        ...[1, 2].map(() => file('tests/test_label.py', labelTest('pantry.stock.label'))),
      ),
    ],
    settings: { 'max-tasks': '2' },
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'done', 'T-2': 'done' },
      asked: ['draft', 'draft', 'draft'],
      branches: ['agent/T-1', 'agent/T-2'],
      silent: /Limit reached/,
    },
  },
  {
    it: 'an absolute import of a module that is elsewhere is corrected without another request',
    files: {
      ...inPython('T-1: Label all jars, in `pantry/labels.py`'),
      'src/words/__init__.py': '',
      'src/words/label.py': label,
    },
    answers: [
      once(
        'T-1',
        file('pantry/labels.py', 'from words.label import label\n\nLABELS = [label("fig")]\n'),
      ),
    ],
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'done' },
      asked: ['draft'],
      branches: ['agent/T-1'],
      holds: [['agent/T-1', 'pantry/labels.py', /^from src\.words\.label/]],
    },
  },
  {
    it: 'tests whose program is not there end the run before it is paid for, and the program is named',
    files: {
      ...withRoadmap('T-1: Halve a number, in `src/halve.js`'),
      'package.json': '{"name":"toolbox","type":"module","scripts":{"test":"mochalike test"}}\n',
    },
    answers: [once('T-1', halved)],
    ends: {
      exit: { cli: 2, action: 1 },
      outcomes: {},
      asked: [],
      branches: [],
      says: /npm test cannot be run here: mochalike was not found[\s\S]*mochalike: not found/,
    },
  },
  {
    it: 'what is refused of an answer is in the report, and the rest is done',
    files: withRoadmap('T-1: Halve a number, in `src/halve.js`'),
    answers: [
      once(
        'T-1',
        halved +
          file('.git/hooks/pre-commit', 'echo\n') +
          file('../outside.js', 'x\n') +
          file('.npmrc', 'a=b\n'),
      ),
      says('repair_code', halved, halved),
    ],
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'done' },
      asked: ['draft', 'repair_code'],
      branches: ['agent/T-1'],
      says: /\.git\/hooks\/pre-commit[\s\S]*\.npmrc/,
      silent: /create \.npmrc/,
    },
  },
  {
    it: 'a task that asks for too much is split, and its parts are done',
    files: withRoadmap('T-1: Add a and b'),
    answers: [
      ...failing('T-1', 'task_too_complex', proposal('a', 'b')),
      writes('T-1-a', 'a', 1),
      writes('T-1-b', 'b', 2),
    ],
    settings: { 'approval-mode': 'auto' },
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'replaced', 'T-1-a': 'done', 'T-1-b': 'done' },
      asked: ['draft', 'repair_code', 'repair_code', 'classify', 'recover', 'draft', 'draft'],
      branches: ['agent/T-1-a', 'agent/T-1-b'],
      reports: { recovered: { tried: 1, succeeded: 1 } },
    },
  },
  {
    it: 'a task that is too vague is worded anew, and done',
    files: withRoadmap('T-1: Make it nicer'),
    answers: [...failing('T-1', 'task_too_vague', proposal('a')), writes('T-1-a', 'a', 1)],
    settings: { 'approval-mode': 'auto' },
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'replaced', 'T-1-a': 'done' },
      asked: ['draft', 'repair_code', 'repair_code', 'classify', 'recover', 'draft'],
      branches: ['agent/T-1-a'],
    },
  },
  {
    it: 'a roadmap of boxes, signs and a table is one list, and is ticked as it is written',
    files: roadmap(
      '# 🗺 Roadmap\n\n- ✅ Set up\n- ⏳ T-1: Multiply by 2, in `src/times2.js`\n- [ ] T-2: Multiply by 3, in `src/times3.js`\n\n| Task | Status |\n|---|---|\n| T-3 Multiply by 4, in `src/times4.js` | ⏳ pending |\n',
    ),
    answers: multipleAnswers(3),
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'done', 'T-2': 'done', 'T-3': 'done' },
      asked: ['draft', 'draft', 'draft'],
      branches: ['agent/T-1', 'agent/T-2', 'agent/T-3'],
      holds: [
        ['agent/T-1', 'ROADMAP.md', /^- ✅ T-1/m],
        ['agent/T-2', 'ROADMAP.md', /^- \[x\] T-2/m],
        ['agent/T-3', 'ROADMAP.md', /T-3 .* \| ✅/],
      ],
    },
  },
  {
    it: 'as many tasks as max-tasks allows are all done, a dependent one among them',
    files: withRoadmap(...multiples(3)),
    answers: multipleAnswers(3),
    settings: { 'max-tasks': '3' },
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'done', 'T-2': 'done', 'T-3': 'done' },
      asked: ['draft', 'draft', 'draft'],
      branches: ['agent/T-1', 'agent/T-2', 'agent/T-3'],
      silent: /Limit reached/,
    },
  },
]

describe.each(doors)('through %s', (_, play) => {
  it.concurrent.each(rows)('$it', async (row) => {
    const [end, printed] = await play(row)
    expect(end, printed).toEqual(endOf(row))
  })
})
