import { posix } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  type ChangeSet,
  type CodeProblem,
  changesBetween,
  type Draft,
} from '../../change/change.ts'
import { testWord } from '../../source/source.ts'
import { tellingWords } from '../../text/text.ts'
import type { Words } from '../judging.ts'
import type { TestFailure, TestReport } from '../results/test-report.ts'
import { findWeakenedTests, type WeakenedTest } from '../tampering/weakened-tests.ts'
import { createdBy, failingTests, type TriedChange } from './failing-tests.ts'

/** A change that is not written yet. */
export interface ProposedChange extends Pick<TriedChange, 'task' | 'draft' | 'tests'> {
  /** What a reviewer asks for; `null` for nothing. */
  readonly feedback: object | null
}

const instead = 'change the code that they test'
const longestExcerpt = 300

/**
 * Reduces any repair once tests have failed: reverts its edits of failing tests, and every file in
 * which it makes the tests check less than the draft before it, or than the start commit where that
 * draft is faulty. If nothing else is left, the refusals say so.
 */
export async function guardTests(answer: Draft, attempt: TriedChange): Promise<Draft> {
  if (attempt.tests === null && attempt.broken.length === 0) return answer
  const base = attempt.draft?.changes ?? []
  const own = createdBy(base)
  const tests = failingTests(attempt)
  const unsound = new Set(attempt.problems.map(({ path }) => path))
  const since = changesSinceSound(base, answer.changes, unsound)
  const weakened = (await weakenedBy(since, attempt.task)).filter(
    ({ kind, path }) => kind !== 'expectation' || !own.has(path),
  )
  const failing = answer.changes
    .filter(({ path }) => tests.has(path))
    .filter((change) => !base.some((known) => isDeepStrictEqual(known, change)))
    .map(({ path }) => path)
  const weaker = [...new Set(weakened.map(({ path }) => path))].filter(
    (path) => !failing.includes(path),
  )
  const touched = [...failing, ...weaker]
  if (touched.length === 0) return answer
  const others = answer.changes.filter(({ path }) => !touched.includes(path))
  const kept = base.filter(({ path }) => touched.includes(path) && !unsound.has(path))
  const changes = [...others, ...kept]
  const excerpt = attempt.broken.map(({ message }) => message.slice(0, longestExcerpt)).join('\n')
  const nothingElse = changesBetween(changes, base).length === 0 && answer.refusals.length === 0
  const refusals = touched.map((path) => ({
    path,
    reason: whyRefused(path, failing, weakened),
    excerpt,
  }))
  return {
    ...answer,
    changes,
    refusals: nothingElse ? refusals : answer.refusals,
    notes: [
      ...answer.notes,
      ...failing.map((path) => `an edit of the failing test ${path} was discarded`),
      ...weaker.map((path) => `an edit of ${path} that weakens the tests was discarded`),
    ],
  }
}

/**
 * The edits between two drafts. A file that did not pass its checks shows no tests to compare with: its edit counts
 * from the start commit, or a test could be broken first and repaired without its assertions.
 */
function changesSinceSound(
  base: ChangeSet,
  changes: ChangeSet,
  unsound: ReadonlySet<string>,
): ChangeSet {
  const whole = new Map(changes.map((change) => [change.path, change]))
  return changesBetween(base, changes).map((edit) =>
    unsound.has(edit.path) ? (whole.get(edit.path) ?? edit) : edit,
  )
}

function whyRefused(
  path: string,
  failing: readonly string[],
  weakened: readonly WeakenedTest[],
): string {
  const found = weakened.find((each) => each.path === path)
  return found === undefined || failing.includes(path)
    ? 'A failing test must not be changed; change the code that it tests.'
    : `${describeWeakened(found)}. Tests must not be weakened to pass; ${instead}.`
}

/**
 * Finds tests that a first answer weakens, before it is written: tests that fail without it must
 * not be weakened to pass. `readBefore` runs the unchanged code's tests to their end, and is called
 * only when the answer weakens something.
 */
export async function findBentTests(
  attempt: ProposedChange,
  readBefore: () => Promise<TestReport | null>,
): Promise<readonly CodeProblem[]> {
  const { task, draft, tests, feedback } = attempt
  // Once tests ran, `guardTests` checks each repair; and a reviewer may ask for anything.
  if (tests !== null || feedback !== null) return []
  const weakened = await weakenedBy(draft?.changes ?? [], task)
  if (weakened.length === 0) return []
  const red = (await readBefore())?.commands.flatMap(({ failures }) => failures) ?? []
  const bent = weakened.filter((each) => red.some((failure) => isOf(failure, each)))
  return [...new Map(bent.map((each) => [each.path, each])).values()].map((each) => ({
    ...{ path: each.path, type: 'tests', line: each.line, column: 0 },
    message: `${describeWeakened(each)}. It fails without this change: tests must not be weakened to pass; ${instead}.`,
  }))
}

/** A file that cannot be loaded fails all of its tests. */
function isOf({ file, test, message }: TestFailure, weakened: WeakenedTest): boolean {
  if (file !== weakened.path) return false
  const isWhole = test === file || test.endsWith(message)
  return isWhole || weakened.test === '' || lastName(test) === lastName(weakened.test)
}

const lastName = (test: string): string => (test.split(' > ').at(-1) ?? '').replace(/[[(].*$/, '')

const removal =
  /\b(?:remove|delete|drop|retire|deprecate|prune|strip|get rid of|throw out|clean up)\b/i
const edit = String.raw`\b(?:remove|delete|drop|skip|disable|ignore|rewrite|update|change|fix|adapt|adjust|correct|replace|migrate|convert|split|merge|rename|move|port|simplify|refactor|lower|raise|prune|clean up)\b`
const editsTests = new RegExp(`${edit}[^.;\\n]{0,80}\\b${testWord}`, 'i')
const removesTests = new RegExp(
  String.raw`\b(?:remove|delete|drop|skip|disable|ignore|merge|prune|clean up)\b[^.;\n]{0,80}\b${testWord}`,
  'i',
)

const proseOf = ({ title, details }: Words): string => `${title}\n${details}`

/** Returns true when the task removes something from the project, or asks to remove tests. */
export function mayRemoveTests(task: Words): boolean {
  const prose = proseOf(task)
  return removal.test(prose) || removesTests.test(prose)
}

/** Returns true when the task asks to edit tests, or names this file of tests. */
export const asksToEditTests = (task: Words, path: string | null): boolean =>
  editsTests.test(proseOf(task)) || (path !== null && proseOf(task).includes(posix.basename(path)))

/** The tests that a change weakens unasked; new files weaken none. */
export const weakenedBy = async (
  changes: ChangeSet,
  task: Words,
): Promise<readonly WeakenedTest[]> =>
  changes.every(({ action }) => action === 'create')
    ? []
    : notAskedFor(await findWeakenedTests(changes), task)

/** Keeps the weakened tests that the task's own words do not ask for. */
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

/** The task contains the newly expected value: "answer 404", "say `Good evening`". */
function isValueNamed(expected: string | null, prose: string): boolean {
  const plain = (expected ?? '').replace(/^"+|"+$/g, '')
  if (plain.length < 2 && !/^\d$/.test(plain)) return false
  const at = prose.indexOf(plain)
  if (at < 0) return false
  return !/\w/.test(prose[at - 1] ?? '') && !/\w/.test(prose[at + plain.length] ?? '')
}

/** Describes in one line which test was weakened, where and how. */
export function describeWeakened({ path, line, what, test }: WeakenedTest): string {
  const isSentence = /^(?:is|was|may|runs)\b/.test(what)
  const name = test === '' ? '' : isSentence ? `${test} ` : `${test}: `
  return `tests weakened: ${name}${what} (${path}:${line})`
}
