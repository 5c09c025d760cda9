/** openai/human-eval as people have such work: a stub, a red test and a line of ROADMAP.md for each function. */
import { gunzipSync } from 'node:zlib'
import { gitBytes } from '../../harness/git.ts'
import { chooseNumbered, numberOf } from './choose-tasks.ts'
import type { RealTask, TaskReader } from './real-task.ts'

interface Problem {
  readonly task_id: string
  readonly prompt: string
  readonly entry_point: string
  readonly test: string
}

export const humanEvalFile = 'data/HumanEval.jsonl.gz'

export const readHumanEval: TaskReader = async (clone, choice) => {
  const packed = await gitBytes(clone, 'show', `HEAD:${humanEvalFile}`)
  const lines = gunzipSync(packed).toString('utf8').split('\n').filter(Boolean)
  const problems = lines.map((line): Problem => JSON.parse(line))
  return layOutProblems(chooseNumbered(problems, choice), namesOf(problems))
}

/** File names by task: of functions with one name, all but the first get their number. */
export function namesOf(problems: readonly Problem[]): ReadonlyMap<string, string> {
  const seen = new Set<string>()
  return new Map(
    problems.map((problem) => {
      const { entry_point: name, task_id: id } = problem
      const own = seen.has(name) ? `${name}_${numberOf(problem)}` : name
      seen.add(name)
      return [id, own]
    }),
  )
}

/** All of them in one repository, in the order of their numbers. */
export function layOutProblems(
  chosen: readonly Problem[],
  names: ReadonlyMap<string, string>,
): readonly RealTask[] {
  const nameOf = ({ task_id, entry_point }: Problem) => names.get(task_id) ?? entry_point
  const textOf = (problem: Problem) =>
    `Implement \`${problem.entry_point}\` in \`problems/${nameOf(problem)}.py\``
  const ordered = chosen.toSorted((a, b) => numberOf(a) - numberOf(b))
  const roadmap = ordered.map((problem) => `- [ ] T-${numberOf(problem)}: ${textOf(problem)}\n`)
  const from = new Map([
    ['ROADMAP.md', `# Roadmap\n\n${roadmap.join('')}`],
    ['pytest.ini', '[pytest]\npythonpath = .\ntestpaths = tests\n'],
    ['.gitignore', '__pycache__/\n.pytest_cache/\n'],
    ['problems/__init__.py', ''],
    ...ordered.flatMap((problem) => {
      const name = nameOf(problem)
      return [
        [`problems/${name}.py`, stubOf(problem)],
        [`tests/test_${name}.py`, testOf(problem, name)],
      ] as const
    }),
  ])
  return chosen.map((problem) => {
    const test = `tests/test_${nameOf(problem)}.py`
    return {
      id: problem.task_id,
      roadmapId: `T-${numberOf(problem)}`,
      text: textOf(problem),
      start: { name: 'human-eval', from },
      files: [`problems/${nameOf(problem)}.py`],
      shown: [test],
      guarded: [test, 'pytest.ini', 'conftest.py', 'tests/conftest.py', 'pyproject.toml'],
      command: `python3 -m pytest -q ${test}`,
    }
  })
}

const stubOf = ({ prompt }: Problem): string => `${prompt.trim()}\n    raise NotImplementedError\n`

/** The dataset's own `check`, and the names of the stub that it uses. */
function testOf({ prompt, test, entry_point: entry }: Problem, name: string): string {
  const defined = [...prompt.matchAll(/^def (\w+)/gm)].map(([, found = '']) => found)
  const used = defined.filter((found) => found !== entry && new RegExp(`\\b${found}\\b`).test(test))
  const imported = [entry, ...used].join(', ')
  return `from problems.${name} import ${imported}\n\n\n${test.trim()}\n\n\ndef test_${entry}():\n    check(${entry})\n`
}
