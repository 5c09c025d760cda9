import { describe, it } from 'vitest'
import { javascript, python } from './languages.ts'
import { file } from './model.ts'
import { type OneTask, playOneTask } from './one-task.ts'

const rankine = 'export const toRankine = (celsius) => (celsius + 273.15) * 1.8\n'
const rankineTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toRankine } from '../src/units/rankine.js'

test('absolute zero', () => {
  assert.equal(toRankine(-273.15), 0)
})
`

const scenarios: readonly OneTask[] = [
  {
    it: 'JavaScript: the task lists two files and one is sent',
    files: {
      ...javascript,
      'ROADMAP.md':
        '- [ ] T-1: Rankine\n  - Files: `src/units/rankine.js`, `test/rankine.test.js`\n',
    },
    answers: {
      'draft T-1': [file('src/units/rankine.js', rankine)],
      'repair_code T-1': [
        {
          ifTold: /The task asks for test\/rankine\.test\.js/,
          text: file('test/rankine.test.js', rankineTest),
        },
      ],
    },
    asked: ['draft T-1', 'repair_code T-1'],
    holds: [
      ['src/units/rankine.js', rankine],
      ['test/rankine.test.js', rankineTest],
    ],
    receipt: { after: { passed: 2, failed: 0 } },
  },
  {
    it: 'Python: the answer says it wrote a file, and did not',
    files: { ...python, 'ROADMAP.md': '- [ ] T-1: Count the empty jars of a shelf\n' },
    answers: {
      'draft T-1': [
        `I created pantry/stock/shelf.py with the list of jars.\n\n${file('pantry/stock/empty.py', 'def empty(jars):\n    return [jar for jar in jars if not jar]\n')}`,
      ],
      'repair_code T-1': [
        {
          ifTold: /Your answer says that pantry\/stock\/shelf\.py was written/,
          text: file('pantry/stock/shelf.py', 'JARS = []\n'),
        },
      ],
    },
    asked: ['draft T-1', 'repair_code T-1'],
    holds: [['pantry/stock/shelf.py', 'JARS = []\n']],
  },
]

describe('A promised file that is missing is asked for again', () => {
  it.each(scenarios)('$it', (scenario) => playOneTask(scenario))
})
