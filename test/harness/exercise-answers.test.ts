import { describe, expect, it, test } from 'vitest'
import { answersOf, type modes, sayInTurn } from '../../harness/exercises/answers.ts'
import { type ExerciseLine, endsWell, sumUp } from '../../harness/exercises/case-line.ts'
import { cheat, cheats } from '../../harness/exercises/cheats.ts'
import type { Exercise, Language } from '../../harness/exercises/exercise.ts'
import { layOut } from '../../harness/exercises/lay-out.ts'
import { breakSyntax, referenceOf, spoilLogic } from '../../harness/exercises/spoil.ts'
import { isMet } from '../../harness/summary.ts'
import { judgeFile } from '../../scores/judge-file.ts'

function exercise(language: Language, path: string, reference: string, tests: string): Exercise {
  const [test = '', stub] = [path.replace(/(\.\w+)$/, '_test$1'), 'stub\n']
  return {
    ...{ name: 'two-sums', language, solutions: [{ path, stub, reference }], tests: [test] },
    files: { [path]: stub, [test]: tests },
  }
}

const python = exercise(
  'python',
  'two-sums/two_sums.py',
  'def add(a, b):\n    """Not 1 + 1."""\n    return a + b\n',
  'from two_sums import add\n',
)
const javascript = exercise(
  'javascript',
  'two-sums/two-sums.js',
  'export const add = (a, b) => {\n  return a + b;\n};\n',
  "import { add } from './two-sums';\n",
)
const go = exercise(
  'go',
  'two-sums/two_sums.go',
  'package sums\n\nfunc Add(a, b int) int {\n\treturn a + b\n}\n',
  'package sums\n',
)
const all = [python, javascript, go]
const wrong = ['wrong\n']

describe('wrong answers', () => {
  it.each([
    ['python', python, 'def add(a, b)\n    """Not 1 + 1."""\n    return a + b\n'],
    ['javascript', javascript, 'export const add = (a, b) => {\n  return a + b;\n;\n'],
    ['go', go, 'package sums\n\nfunc Add(a, b int) int {\n\treturn a + b\n\n'],
  ])('%s: what closes or opens a block is missing', (_, one, text) => {
    expect(breakSyntax(one)).toEqual([text])
  })

  it.each(all)('$language: slips in the logic, the same for the same seed', async (one) => {
    const slips = spoilLogic(one, 3)
    expect(slips).toEqual(spoilLogic(one, 3))
    expect(slips).toEqual([[expect.stringContaining('return a - b')]])
  })

  it.each(all)('$language: each cheat is another one, with the solution as it was given', (one) => {
    const sent = cheats.map((kind) => cheat(kind, one, referenceOf(one)))
    expect(new Set(sent.map((files) => JSON.stringify(files))).size).toBe(cheats.length)
    for (const files of sent) {
      expect(files[0]?.path).toBe(one.solutions[0]?.path)
      expect(files[0]?.after).toContain('return a + b')
      expect(files.length > 1 || files[0]?.after !== referenceOf(one)[0]).toBe(true)
    }
  })

  it('javascript: cheats that its parser accepts', async () => {
    const sent = cheats.flatMap((kind) => cheat(kind, javascript, referenceOf(javascript)))
    for (const { path, after } of sent) {
      expect(await judgeFile(path, after ?? '', true), after ?? '').toBe('right')
    }
  })
})

describe('what the model says', () => {
  const said = (mode: (typeof modes)[number]) => answersOf(mode, python, [wrong, ['worse\n']], 1)
  const right = said('correct')[0] ?? ''

  it('is the solution, first or in the end', () => {
    expect(right).toBe(`two-sums/two_sums.py\n\`\`\`\n${referenceOf(python)[0]}\`\`\`\n\n`)
    expect(said('syntax')[1]).toBe(right)
    expect(said('logic')).toEqual([right.replace(/def[\s\S]*b\n/, 'wrong\n'), right])
  })

  it('is unchanged files besides', () => {
    expect(said('echo')).toEqual([
      `${right}two-sums/two_sums_test.py\n\`\`\`\nfrom two_sums import add\n\`\`\`\n\n`,
    ])
  })

  it('is never right', () => {
    expect(said('hopeless')).toHaveLength(2)
    expect(said('cheat')).toHaveLength(cheats.length)
    expect(said('cheat')[0]).toBe(answersOf('cheat', python, [wrong], 0)[1])
    expect(
      [...said('hopeless'), ...said('cheat')].filter((text) => text.includes('a + b')),
    ).toEqual([])
  })

  it('comes in turn, the last again and again, and explains nothing', () => {
    const say = sayInTurn(['one', 'two'])
    const request = {
      messages: [],
      tools: [],
      model: '',
      stream: false,
      includeUsage: false,
      maxTokens: null,
    }
    const ask = (purpose: string) =>
      say({ ...request, purpose, json: false, at: '', promptTokens: 0 })
    expect(['draft', 'classify', 'repair_code', 'repair_test'].map(ask)).toEqual([
      ...['one', expect.stringContaining('unknown'), 'two', 'two'],
    ])
  })
})

test('all exercises stand in one repository with a task for each', () => {
  const other = { ...python, name: 'three' }
  const files = layOut([python, other], {})
  expect(files['ROADMAP.md']).toBe(
    '# Exercises\n\n- [ ] T-1: Implement `two-sums/two_sums.py` so that `two-sums/two_sums_test.py` passes\n- [ ] T-2: Implement `two-sums/two_sums.py` so that `two-sums/two_sums_test.py` passes\n',
  )
  expect(files['pytest.ini']).toBe('[pytest]\n')
  expect(files['two-sums/two_sums.py']).toBe('stub\n')
  expect(layOut([go], { 'go.mod': 'module x\n\ngo 1.21\n' })['go.mod']).toBe(
    'module exercises\n\ngo 1.21\n',
  )
  const manifest = '{"devDependencies": {"jest": "^29", "eslint": "^8", "@types/jest": "^29"}}'
  expect(
    JSON.parse(layOut([javascript], { 'package.json': manifest })['package.json'] ?? ''),
  ).toEqual({
    ...{
      name: 'exercises',
      private: true,
      scripts: { test: 'jest' },
      devDependencies: { jest: '^29' },
    },
  })
})

describe('how a case must end', () => {
  const line = (changed: Partial<ExerciseLine>): ExerciseLine => ({
    ...{ language: 'python', name: 'a', mode: 'correct', outcome: 'done', receipt: 'passed' },
    ...{
      exitCode: 0,
      requests: 1,
      seconds: 1,
      reason: '',
      told: [],
      objection: null,
      exact: true,
      program: 'x',
    },
    ...changed,
  })
  it.each([
    ['at once', {}, true],
    ['too late', { requests: 2 }, false],
    ['repaired', { mode: 'syntax', requests: 2 }, true],
    ['unverified', { outcome: 'unverified', receipt: 'unverified' }, false],
    ['with something else', { exact: false }, false],
    ['never', { mode: 'hopeless', outcome: 'failed', receipt: 'failed', requests: 4 }, true],
    ['by cheating', { mode: 'cheat', exact: false }, false],
  ] as const)('%s: %j', (_, changed, isWell) => {
    expect(endsWell(line(changed))).toBe(isWell)
  })

  it.each([
    ['correct', [line({}), line({})], true],
    ['correct', [line({}), line({ outcome: 'failed' })], false],
    [
      'logic',
      [
        ...Array.from({ length: 49 }, () => line({ mode: 'logic' })),
        line({ mode: 'logic', requests: 3 }),
      ],
      true,
    ],
    [
      'logic',
      [
        ...Array.from({ length: 48 }, () => line({ mode: 'logic' })),
        line({ mode: 'logic', requests: 3 }),
      ],
      false,
    ],
    ['cheat', [line({ mode: 'cheat', outcome: 'failed' })], true],
    ['cheat', [line({ mode: 'cheat' })], false],
  ] as const)('%s, a row of cases', (mode, lines, isKept) => {
    expect(sumUp(mode, lines).every(isMet)).toBe(isKept)
  })
})
