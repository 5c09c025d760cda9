import { describe, expect, it } from 'vitest'
import { chooseNumbered } from '../../../bench/real-model/choose-tasks.ts'
import { layOutProblems, namesOf } from '../../../bench/real-model/read-human-eval.ts'
import { layOutExercise } from '../../../bench/real-model/read-polyglot.ts'
import { findAccepted } from '../../../bench/real-model/read-repositories.ts'
import type { Start } from '../../../bench/real-model/real-task.ts'

const problem = (number: number, name: string) => ({
  task_id: `HumanEval/${number}`,
  entry_point: name,
  prompt: `\ndef helper(x):\n    return x\n\n\ndef ${name}(x: int) -> int:\n    """ Adds one. """\n`,
  test: `\n\ndef check(candidate):\n    assert candidate(helper(1)) == 2\n`,
})

const textsOf = ({ from }: Start) => (from instanceof Map ? Object.fromEntries(from) : {})

describe('the choice of numbered tasks', () => {
  const all = Array.from({ length: 164 }, (_, number) => problem(number, `f${number}`))
  const ids = (...given: Parameters<typeof chooseNumbered>) =>
    chooseNumbered(...given).map(({ task_id }) => Number(task_id.slice(10)))

  // The order of `printf 7:HumanEval/N | sha256sum`.
  it.each<readonly [Parameters<typeof chooseNumbered>[1], readonly number[]]>([
    [{ n: 4, part: 'odd', seed: 7 }, [155, 85, 151, 55]],
    [{ n: 4, part: 'even', seed: 7 }, [64, 44, 66, 114]],
    [{ n: 4, part: null, seed: 7 }, [155, 64, 44, 85]],
  ])('takes %o', (choice, expected) => {
    expect(ids(all, choice)).toEqual(expected)
  })

  it('takes more of the same when it takes more', () => {
    const choice = { part: 'odd', seed: 7 } as const
    expect(ids(all, { ...choice, n: 40 }).slice(0, 10)).toEqual(ids(all, { ...choice, n: 10 }))
  })
})

describe('functions of HumanEval', () => {
  const problems = [problem(53, 'add'), problem(60, 'increase'), problem(85, 'add')]
  const tasks = layOutProblems(problems.toReversed(), namesOf(problems))
  const [last] = tasks

  it('are one repository with a line of the roadmap for each, in order', () => {
    expect(tasks.map(({ id }) => id)).toEqual(['HumanEval/85', 'HumanEval/60', 'HumanEval/53'])
    expect(new Set(tasks.map(({ start }) => start.from)).size).toBe(1)
    expect(last && textsOf(last.start)['ROADMAP.md']).toBe(`# Roadmap

- [ ] T-53: Implement \`add\` in \`problems/add.py\`
- [ ] T-60: Implement \`increase\` in \`problems/increase.py\`
- [ ] T-85: Implement \`add\` in \`problems/add_85.py\`
`)
  })

  it('have a stub, and the check of the dataset as a test that is red', () => {
    const texts = last && textsOf(last.start)
    expect(texts?.['problems/add_85.py']).toMatch(
      /def add\(x: int\) -> int:\n {4}""" Adds one. """\n {4}raise NotImplementedError\n$/,
    )
    expect(texts?.['tests/test_add_85.py']).toBe(`from problems.add_85 import add, helper


def check(candidate):
    assert candidate(helper(1)) == 2


def test_add():
    check(add)
`)
    expect(last).toMatchObject({
      roadmapId: 'T-85',
      files: ['problems/add_85.py'],
      command: 'python3 -m pytest -q tests/test_add_85.py',
    })
  })
})

describe('an exercise', () => {
  const texts = new Map([
    ['.meta/config.json', '{"files":{"solution":["leap.js"],"test":["leap.spec.js"]}}'],
    ['.meta/proof.ci.js', 'the solution'],
    ['.docs/instructions.md', 'Is it a leap year?'],
    ['leap.js', 'stub'],
    ['leap.spec.js', "test('a', () => {})\nxtest('b', () => {})\n"],
    ['package.json', '{"scripts":{"test":"jest ./*"}}'],
  ])
  const { task } = layOutExercise('leap', 'javascript', texts, null)

  it('shows its instructions, and not its solution', () => {
    expect(textsOf(task.start)).toMatchObject({
      '.docs/instructions.md': 'Is it a leap year?\n',
      'ROADMAP.md': '# Roadmap\n\n- [ ] T-1: Implement `leap.js` as `.docs/instructions.md` says\n',
    })
    expect(Object.values(textsOf(task.start))).not.toContain('the solution')
  })

  it('has all of its tests played', () => {
    expect(textsOf(task.start)['leap.spec.js']).toBe("test('a', () => {})\ntest('b', () => {})\n")
  })
})

it.each([
  ['- [ ] A-1: Add it\n  - **Accept**: `npm test`\n', 'A-1', 'npm test'],
  [
    '- [x] A-1: Old\n  - **Accept**: `old`\n- [ ] A-2: No\n- [ ] A-3: Go\n  **Accept**: `go`\n',
    'A-3',
    'go',
  ],
])('the first open task with a command in %o', (roadmap, id, command) => {
  expect(findAccepted(roadmap)).toMatchObject({ id, command })
})

it('no task without a command', () => {
  expect(findAccepted('- [ ] A-1: Add it\n')).toBeNull()
})
