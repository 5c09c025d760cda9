import { describe, expect, it } from 'vitest'
import type { Files } from './bench.ts'
import { javascript, python, typescript } from './languages.ts'
import { file } from './model.ts'
import { outcomes, play } from './scenario.ts'

interface Circle {
  readonly it: string
  readonly files: Files
  /** What imports each other, with a test of both. */
  readonly first: string
  readonly second: string
  readonly test: string
}

const scriptTest = (extension: string) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOdd } from '../src/odd.${extension}'
import { isEven } from '../src/even.${extension}'

test('numbers are odd or even', () => {
  assert.equal(isOdd(3), true)
  assert.equal(isEven(3), false)
})
`

const roadmap = (extension: string) => `# Numbers

- [ ] T-1: Create \`src/even.${extension}\`: a number is even if it is 0 or the one below is odd
- [ ] T-2: Create \`src/odd.${extension}\`: a number is odd if it is not 0 and the one below is even
`

const pythonRoadmap = `# Numbers

- [ ] T-1: Create \`pantry/even.py\`: a number is even if it is 0 or the one below is odd
- [ ] T-2: Create \`pantry/odd.py\`: a number is odd if it is not 0 and the one below is even
`

const pythonTest = file(
  'tests/test_parity.py',
  `import unittest

from pantry.even import is_even
from pantry.odd import is_odd


class ParityTest(unittest.TestCase):
    def test_three(self):
        self.assertTrue(is_odd(3))
        self.assertFalse(is_even(3))
`,
)

const circles: readonly Circle[] = [
  {
    it: 'JavaScript, at the top',
    files: { ...javascript, 'ROADMAP.md': roadmap('js') },
    first: file(
      'src/even.js',
      "import { isOdd } from './odd.js'\n\nexport const isEven = (n) => n === 0 || isOdd(n - 1)\n",
    ),
    second: file(
      'src/odd.js',
      "import { isEven } from './even.js'\n\nexport const isOdd = (n) => n !== 0 && isEven(n - 1)\n",
    ),
    test: file('test/parity.test.js', scriptTest('js')),
  },
  {
    it: 'TypeScript, at the top',
    files: { ...typescript, 'ROADMAP.md': roadmap('ts') },
    first: file(
      'src/even.ts',
      "import { isOdd } from './odd.ts'\n\nexport const isEven = (n: number): boolean => n === 0 || isOdd(n - 1)\n",
    ),
    second: file(
      'src/odd.ts',
      "import { isEven } from './even.ts'\n\nexport const isOdd = (n: number): boolean => n !== 0 && isEven(n - 1)\n",
    ),
    test: file('test/parity.test.ts', scriptTest('ts')),
  },
  {
    it: 'Python, at the top',
    files: { ...python, 'ROADMAP.md': pythonRoadmap },
    first: file(
      'pantry/even.py',
      'import pantry.odd\n\n\ndef is_even(n):\n    return n == 0 or pantry.odd.is_odd(n - 1)\n',
    ),
    second: file(
      'pantry/odd.py',
      'import pantry.even\n\n\ndef is_odd(n):\n    return n != 0 and pantry.even.is_even(n - 1)\n',
    ),
    test: pythonTest,
  },
  {
    it: 'Python, where it is used',
    files: { ...python, 'ROADMAP.md': pythonRoadmap },
    first: file(
      'pantry/even.py',
      'def is_even(n):\n    from pantry.odd import is_odd\n\n    return n == 0 or is_odd(n - 1)\n',
    ),
    second: file(
      'pantry/odd.py',
      'def is_odd(n):\n    from pantry.even import is_even\n\n    return n != 0 and is_even(n - 1)\n',
    ),
    test: pythonTest,
  },
]

describe.concurrent('two tasks whose files import each other', () => {
  it.each(circles)('are one draft and one branch: $it', async (circle) => {
    const { files, first, second, test } = circle
    const both = first + second + test
    await using played = await play({
      files,
      answers: {
        'draft T-1': [first + test, { text: both, ifTold: /T-2/ }],
        'draft T-2': [second],
      },
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2', 'draft T-1'])
    expect(outcomes(project)).toEqual({ 'T-1': 'done', 'T-2': 'done' })
    expect(project.branches()).toEqual(['agent/T-1'])
    expect(project.show('agent/T-1', 'ROADMAP.md')?.match(/\[x\]/g)).toHaveLength(2)
    expect(result.stderr).toContain('T-1 and T-2 need each other: one change does both')
    expect(project.report().tasks.map(({ attempts }) => attempts)).toEqual([2, 2])
  })

  it('are one draft as soon as one waits for the other by its words', async () => {
    const [circle] = circles
    const { files = {}, first = '', second = '', test = '' } = circle ?? {}
    const depends = `${files['ROADMAP.md']?.trimEnd().replace('\n- [ ] T-2', '\n  - Depends: T-2\n- [ ] T-2')}\n`
    await using played = await play({
      files: { ...files, 'ROADMAP.md': depends },
      answers: { 'draft T-2': [second, first + second + test] },
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-2', 'draft T-2'])
    expect(outcomes(project)).toEqual({ 'T-1': 'done', 'T-2': 'done' })
    expect(project.branches()).toEqual(['agent/T-2'])
  })

  it('are asked for alone once more when their change fails, and then a person is', async () => {
    const [circle] = circles
    const { files = {}, first = '', second = '', test = '' } = circle ?? {}
    const [wrong = '', still = '', again = ''] = [4, 5, 7].map((n) =>
      first.replace('n === 0', `n === ${n}`),
    )
    await using played = await play({
      files,
      answers: {
        'draft T-1': [first, wrong + second + test, first],
        'repair_test T-1': [still, again],
        'draft T-2': [second, second],
      },
      args: ['--approval-mode', 'auto'],
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(1)
    expect(outcomes(project)).toEqual({ 'T-1': 'failed', 'T-2': 'failed' })
    expect(model.asked().filter((asked) => asked.startsWith('draft'))).toEqual([
      ...['draft T-1', 'draft T-2', 'draft T-1', 'draft T-1', 'draft T-2'],
    ])
    const decided = project.report().recoveries.map(({ proposal }) => proposal.strategy)
    expect(decided).toEqual(['DEFER', 'ESCALATE', 'ESCALATE'])
  })

  it('stay apart where the run may not try both', async () => {
    const [circle] = circles
    const { files = {}, first = '' } = circle ?? {}
    await using played = await play({
      files,
      answers: { 'draft T-1': [first, first] },
      args: ['--task', 'T-1'],
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(3)
    expect(model.asked()).toEqual(['draft T-1'])
    expect(outcomes(project)['T-1']).toBe('waiting')
  })

  it('may be three', async () => {
    const said = [1, 2, 3].map((n) => {
      const next = (n % 3) + 1
      return file(
        `src/step-${n}.js`,
        `import { step${next} } from './step-${next}.js'\n\nexport const step${n} = (n) => (n === 0 ? ${n} : step${next}(n - 1))\n`,
      )
    })
    const steps = [1, 2, 3].map((n) => `- [ ] T-${n}: Create \`src/step-${n}.js\`\n`)
    const [one = '', two = '', three = ''] = said
    await using played = await play({
      files: { ...javascript, 'ROADMAP.md': `# Steps\n\n${steps.join('')}` },
      answers: {
        'draft T-1': [one, said.join('')],
        'draft T-2': [two],
        'draft T-3': [three],
      },
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2', 'draft T-3', 'draft T-1'])
    expect(project.branches()).toEqual(['agent/T-1'])
    expect(Object.values(outcomes(project))).toEqual(['done', 'done', 'done'])
  })
})
