import { posix } from 'node:path'
import type { Task } from '../../core/domain/task.ts'
import { tellingWords } from '../../text/words/words.ts'
import type { WeakenedTest } from '../tampering/weakened-tests.ts'

type Words = Pick<Task, 'title' | 'details'>

const removal =
  /\b(?:remove|delete|drop|retire|deprecate|prune|strip|get rid of|throw out|clean up)\b/i
const testWord = String.raw`(?:tests?|specs?|test suites?|test cases?|snapshots?|expectations?|assertions?|coverage)\b`
const edit = String.raw`\b(?:remove|delete|drop|skip|disable|ignore|rewrite|update|change|fix|adapt|adjust|correct|replace|migrate|convert|split|merge|rename|move|port|simplify|refactor|lower|raise|prune|clean up)\b`
const editsTests = new RegExp(`${edit}[^.;\\n]{0,80}\\b${testWord}`, 'i')
const removesTests = new RegExp(
  String.raw`\b(?:remove|delete|drop|skip|disable|ignore|merge|prune|clean up)\b[^.;\n]{0,80}\b${testWord}`,
  'i',
)

const proseOf = ({ title, details }: Words): string => `${title}\n${details}`

/** True when the task's words let tests go: it takes something out of the project, or tests themselves. */
export function mayRemoveTests(task: Words): boolean {
  const prose = proseOf(task)
  return removal.test(prose) || removesTests.test(prose)
}

/** What of the weakened tests the task's own words do not ask for. */
export function notAskedFor(
  weakened: readonly WeakenedTest[],
  task: Words,
): readonly WeakenedTest[] {
  const prose = proseOf(task)
  const words = new Set(tellingWords(prose))
  return weakened.filter((each) => !isAsked(each, prose, words))
}

function isAsked(
  { kind, path, test, expected }: WeakenedTest,
  prose: string,
  words: ReadonlySet<string>,
): boolean {
  const isNamed = prose.includes(posix.basename(path))
  switch (kind) {
    case 'deleted':
    case 'skipped': {
      const about = tellingWords(`${test} ${posix.basename(path)}`).some((word) => words.has(word))
      return removesTests.test(prose) || (removal.test(prose) && about)
    }
    case 'expectation':
      return isNamed || editsTests.test(prose) || isValueNamed(expected, prose)
    case 'settings':
      return (
        isNamed ||
        editsTests.test(prose) ||
        /\btest (?:script|command|config\w*|set-?up)\b/i.test(prose)
      )
    case 'snapshot':
    case 'weakened':
      return isNamed || editsTests.test(prose)
  }
}

/** The value that is expected now stands in the task: "answer 404", "say `Good evening`". */
function isValueNamed(expected: string | null, prose: string): boolean {
  const plain = (expected ?? '').replace(/^"+|"+$/g, '')
  if (plain.length < 2 && !/^\d$/.test(plain)) return false
  const at = prose.indexOf(plain)
  if (at < 0) return false
  return !/\w/.test(prose[at - 1] ?? '') && !/\w/.test(prose[at + plain.length] ?? '')
}

/** One line for a reviewer: which test, where, what became of it. */
export function describeWeakened({ path, line, what, test }: WeakenedTest): string {
  const isSentence = /^(?:is|was|may|runs)\b/.test(what)
  const name = test === '' ? '' : isSentence ? `${test} ` : `${test}: `
  return `tests weakened: ${name}${what} (${path}:${line})`
}
