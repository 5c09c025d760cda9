/** A plan that is written step by step: each row is played by the bundled CLI and by the bundled Action. */
import { describe, expect, it } from 'vitest'
import { file } from './action/toolbox.ts'
import { partsProject, pathOf, planOf, textOf } from './cli/parts.ts'
import { both, doors, endOf, type Row } from './play-row.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const project = (count: number, more: Row['files'] = {}) => ({
  ...partsProject(count),
  '.github/executor.yml': 'strategy: two_phase\nrecovery: false\n',
  ...more,
})

const says = (purpose: string, contains: string | RegExp, ...answers: readonly string[]) => ({
  ...{ when: { purpose, contains }, answers, usedUp: 'error' as const },
})
const draft = (n: number, told = '') =>
  says(
    'draft',
    new RegExp(`${told}[\\s\\S]*Write step ${n} only, in src/part${n}\\.js`),
    file(pathOf(n), textOf(n)),
  )
const second = [
  says(
    'plan',
    'Add `src/more.js`',
    '{"files": ["src/more.js"], "complexity": "low", "steps": ["write it"]}',
  ),
  says('draft', 'Add `src/more.js`', file('src/more.js', 'export const more = 11\n')),
]
const first = (count: number) => says('plan', 'Write the parts', planOf(numbers(count).map(pathOf)))
const repeat = (count: number, purpose: string): readonly string[] => Array(count).fill(purpose)

const rolledBack = {
  exit: both(1),
  outcomes: { 'T-1': 'failed', 'T-2': 'done' },
  branches: ['agent/T-2'],
  changes: { 'agent/T-2': ['ROADMAP.md', 'src/more.js'] },
  pulls: { 'agent/T-2': /^\[Agent\] Complete T-2: / },
}

const rows: readonly Row[] = [
  {
    it: 'shows each step its own files and those that it needs',
    files: project(3),
    answers: [
      first(3),
      draft(1),
      draft(2, 'part1 = \\(\\) => 1'),
      draft(3, 'part2 = \\(\\) => 2'),
      ...second,
    ],
    ends: {
      exit: both(0),
      outcomes: { 'T-1': 'done', 'T-2': 'done' },
      asked: ['plan', ...repeat(3, 'draft'), 'plan', 'draft'],
      branches: ['agent/T-1', 'agent/T-2'],
      changes: { 'agent/T-1': ['ROADMAP.md', ...numbers(3).map(pathOf)] },
      holds: numbers(3).map((n) => ['agent/T-1', pathOf(n), textOf(n).trimEnd()]),
    },
  },
  {
    it: 'of five steps the third fails: the first two are dropped',
    files: project(5),
    answers: [
      first(5),
      draft(1),
      draft(2),
      says('draft', 'Write step 3 only', 'I am not sure about this one.', 'I am still not sure.'),
      ...second,
    ],
    ends: {
      ...rolledBack,
      asked: ['plan', ...repeat(4, 'draft'), 'plan', 'draft'],
      told: /Your last answer for this step could not be used: /,
      says: /step 3 of 5 failed: .*; steps 1 and 2 are dropped, and nothing was written/,
      neverOnDisk: /export const part/,
      attempts: {},
    },
  },
  {
    it: 'of ten files the seventh cannot be written: none is',
    files: project(10, { '.gitignore': 'src/part7.js\n' }),
    answers: [
      first(10),
      ...numbers(10).map((n) => draft(n)),
      says('repair_code', 'part7', file(pathOf(7), textOf(7)), file(pathOf(7), textOf(7))),
      says('classify', '', '{"reason": "unknown", "explanation": "It stays ignored."}'),
      ...second,
    ],
    ends: {
      ...rolledBack,
      asked: [
        'plan',
        ...repeat(10, 'draft'),
        ...repeat(2, 'repair_code'),
        'classify',
        'plan',
        'draft',
      ],
      says: /It stays ignored/,
      attempts: { 'T-1': /## create src\/part1\.js[\s\S]*## create src\/part7\.js/ },
    },
  },
]

describe.each(doors)('through %s', (_, play) => {
  it.concurrent.each(rows)('$it', async (row) => {
    const [end, printed] = await play(row)
    expect(end, printed).toEqual(endOf(row))
  })
})
