import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Files } from './bench.ts'
import { python, typescript } from './languages.ts'
import { alphabet, letterFiles } from './letters.ts'
import { file } from './model.ts'
import { outcomes, play } from './scenario.ts'

const wrongOrder = {
  ...alphabet,
  'ROADMAP.md': `# Letters

- [ ] T-1: Spell the beginning of the alphabet
  - Files: \`src/spell.js\`
- [ ] T-2: Add the letter a
  - Files: \`src/a.js\`
`,
}
const spell = file(
  'src/spell.js',
  "import { a } from './a.js'\n\nexport const spell = () => a().toUpperCase()\n",
)

interface Early {
  readonly it: string
  readonly files: Files
  readonly args?: readonly string[]
  /** Of T-1, which needs what T-2 brings. */
  readonly early: string
  readonly late: string
}

const early: readonly Early[] = [
  { it: 'JavaScript', files: wrongOrder, early: spell, late: letterFiles(0) },
  {
    it: 'JavaScript, with --approval-mode auto',
    args: ['--approval-mode', 'auto'],
    files: wrongOrder,
    early: spell,
    late: letterFiles(0),
  },
  {
    it: 'TypeScript, whose import has no ending',
    files: {
      ...typescript,
      'ROADMAP.md': `## Books

1. [ ] T-1: Books have an author
   - Files: \`src/signed.ts\`
2. [ ] T-2: Introduce authors
   - Files: \`src/people/author.ts\`
`,
    },
    early: file(
      'src/signed.ts',
      `import type { Author } from './people/author'
import type { Book } from './model/book.ts'

export interface Signed extends Book {
  readonly author: Author
}
`,
    ),
    late: file('src/people/author.ts', 'export interface Author {\n  readonly name: string\n}\n'),
  },
  {
    it: 'Python',
    files: {
      ...python,
      'ROADMAP.md': `* [ ] T-1: Print the labels of all jars
  * Files: \`pantry/labels.py\`
* [ ] T-2: Write one label, in \`pantry/stock/label.py\`
`,
    },
    early: file(
      'pantry/labels.py',
      'from pantry.stock.label import label\n\n\ndef labels(jars):\n    return [label(jar) for jar in jars]\n',
    ),
    late: file('pantry/stock/label.py', 'def label(jar):\n    return jar.title()\n'),
  },
]

describe.concurrent('a task that comes too early', () => {
  it.each(early)('is deferred and passes at its second try: $it', async (scenario) => {
    await using played = await play({
      ...scenario,
      answers: { 'draft T-1': [scenario.early, scenario.early], 'draft T-2': [scenario.late] },
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2', 'draft T-1'])
    expect(outcomes(project)).toEqual({ 'T-1': 'done', 'T-2': 'done' })
    const [tip, below] = project.log('main..agent/T-1')
    expect(tip?.trailers).toMatchObject({ 'Executor-Task': 'T-1', 'Executor-Attempt': '2' })
    expect(below?.trailers).toMatchObject({ 'Executor-Task': 'T-2' })
    expect(project.report().recoveries).toMatchObject([
      {
        taskId: 'T-1',
        decision: 'approved',
        proposal: { strategy: 'DEFER', reason: 'missing_dependency' },
      },
    ])
    expect(project.report().tasks.find(({ id }) => id === 'T-1')).toMatchObject({ attempts: 2 })
  })

  it.each([
    {
      it: 'JavaScript',
      files: {
        ...alphabet,
        'ROADMAP.md':
          '- [ ] T-1: Spell two letters in `src/spell.js`\n- [ ] T-2: Add `src/a.js`\n- [ ] T-3: Add `src/b.js`\n',
      },
      early: file(
        'src/spell.js',
        "import { a } from './a.js'\nimport { b } from './b.js'\n\nexport const spell = () => a() + b()\n",
      ),
      late: [letterFiles(0), letterFiles(1)],
    },
    {
      it: 'Python',
      files: {
        ...python,
        'ROADMAP.md':
          '- [ ] T-1: Print labels in `pantry/labels.py`\n- [ ] T-2: Add `pantry/stock/label.py`\n- [ ] T-3: Add `pantry/stock/frame.py`\n',
      },
      early: file(
        'pantry/labels.py',
        'from pantry.stock.label import label\nfrom pantry.stock import frame\n\n\ndef labels(jars):\n    return [frame.frame(label(jar)) for jar in jars]\n',
      ),
      late: [
        file('pantry/stock/label.py', 'def label(jar):\n    return jar.title()\n'),
        file('pantry/stock/frame.py', 'def frame(text):\n    return f"[{text}]"\n'),
      ],
    },
  ])('waits for all that bring what it imports: $it', async ({ files, early: first, late }) => {
    const [second = '', third = ''] = late
    await using played = await play({
      files,
      answers: { 'draft T-1': [first, first], 'draft T-2': [second], 'draft T-3': [third] },
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2', 'draft T-3', 'draft T-1'])
    expect(outcomes(project)).toEqual({ 'T-1': 'done', 'T-2': 'done', 'T-3': 'done' })
    const below = project.log('main..agent/T-1').map(({ trailers }) => trailers['Executor-Task'])
    expect(below.sort()).toEqual(['T-1', 'T-2', 'T-3'])
  })

  it('and misses its file at the second try, too, fails without a loop', async () => {
    const files = {
      ...wrongOrder,
      'ROADMAP.md': wrongOrder['ROADMAP.md'].replace(
        '- Files: `src/a.js`',
        '- Prepares for `src/a.js`\n  - Files: `src/b.js`',
      ),
    }
    await using played = await play({
      files,
      answers: {
        'draft T-1': [spell, spell],
        'draft T-2': [file('src/b.js', 'export const b = () => 1\n')],
      },
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(1)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2', 'draft T-1'])
    expect(outcomes(project)).toEqual({ 'T-1': 'failed', 'T-2': 'done' })
    expect(project.todos()).toEqual({ 'T-1': 'failed', 'T-2': 'completed' })
    const decided = project.report().recoveries.map(({ proposal }) => proposal.strategy)
    expect(decided).toEqual(['DEFER', 'ESCALATE'])
  })
})

interface Missing {
  readonly it: string
  readonly files: Files
  readonly draft: string
  readonly next: string
  readonly install: string
}

const missing: readonly Missing[] = [
  {
    it: 'JavaScript',
    files: {
      ...alphabet,
      'ROADMAP.md': '- [ ] T-1: Pad the letters with left-pad\n- [ ] T-2: Add the letter a\n',
    },
    draft:
      file(
        'src/pad.js',
        "import leftPad from 'left-pad'\n\nexport const pad = (text) => leftPad(text, 9)\n",
      ) +
      file(
        'test/pad.test.js',
        "import { test } from 'node:test'\nimport { pad } from '../src/pad.js'\n\ntest('pad', () => pad('a'))\n",
      ),
    next: letterFiles(0),
    install: 'npm install left-pad',
  },
  {
    it: 'Python',
    files: {
      ...python,
      'requirements.txt': '',
      'ROADMAP.md': '- [ ] T-1: Draw the stock with plotquick\n- [ ] T-2: Count jars in boxes\n',
    },
    draft:
      file('pantry/plot.py', 'import plotquick\n\n\ndef plot(jars):\n    plotquick.bar(jars)\n') +
      file(
        'tests/test_plot.py',
        'import unittest\n\nfrom pantry.plot import plot\n\n\nclass PlotTest(unittest.TestCase):\n    def test_plot(self):\n        plot({})\n',
      ),
    next: file('pantry/boxes.py', 'def boxes(jars):\n    return len(jars) // 6\n'),
    install: 'pip install plotquick',
  },
]

describe.concurrent('a package that is not installed', () => {
  it.each(missing)('sets the task aside, and later ones still run: $it', async (scenario) => {
    await using played = await play({
      ...scenario,
      answers: { 'draft T-1': [scenario.draft], 'draft T-2': [scenario.next] },
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(1)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2'])
    expect(outcomes(project)).toEqual({ 'T-1': 'skipped', 'T-2': 'done' })
    expect(result.stderr).toContain(scenario.install)
    expect(existsSync(join(project.path, '.executor/attempts/T-1.md'))).toBe(true)
    expect(project.branches()).toEqual(['agent/T-2'])
  })
})
