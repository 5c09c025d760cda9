/** How far an attempt came, and what that says about its task: facts that need no model. */

import { findNamedCode, isTestFile } from '../../../packages/source/source.ts'
import type { Task } from '../../../packages/task/task.ts'
import { countOf, oneLine } from '../../../packages/text/text.ts'
import type { Attempt, Failure } from '../../core/domain/attempt.ts'
import type { Answers } from '../../core/domain/verdict.ts'
import { findTargets } from '../../model/context/similar-files.ts'

/** Ends of an attempt after which the model has had its tries. */
const triedEnds: ReadonlySet<Failure['at']> = new Set([
  'repairs_spent',
  'unproven',
  'failed',
  'spent',
])

/** The best answer of an attempt. */
export interface HowFar {
  readonly tries: number
  /** Tests that pass, of those that are not red for another task; `null` when it failed none of them. */
  readonly tests: { readonly passed: number; readonly of: number } | null
}

function howFar(attempt: Attempt): HowFar {
  const { validationRepairs, testRepairs, loop, receipt, broken } = attempt
  const tries = loop === null ? 1 + validationRepairs + testRepairs : Math.max(1, loop.testRuns)
  const counts = receipt?.after ?? null
  const red = Math.min(broken.length, counts?.failed ?? 0)
  if (counts === null || red === 0) return { tries, tests: null }
  return { tries, tests: { passed: counts.passed, of: counts.passed + red } }
}

/**
 * Counts the answers of an attempt, and those that passed `validate_code`; `null` where tools wrote the change step by
 * step. A repair of a failing test that repeats the change counts as usable: it is no worse than wrong.
 */
export function countAnswers(
  attempt: Pick<
    Attempt,
    'validationRepairs' | 'testRepairs' | 'emptyRepairs' | 'problems' | 'loop'
  >,
): Answers | null {
  const { validationRepairs, testRepairs, emptyRepairs, problems, loop } = attempt
  if (loop !== null) return null
  const of = 1 + validationRepairs + testRepairs
  const unusable = validationRepairs + emptyRepairs + (problems.length > 0 ? 1 : 0)
  return { usable: of - unusable, of }
}

/** Returns true when no answer was a change that passed `validate_code`: nothing was written or run. */
export function broughtNothing({ failure, receipt, draft }: Attempt): boolean {
  if (failure === null || !triedEnds.has(failure.at)) return false
  const isEmpty = draft === null || draft.changes.length === 0
  return failure.at === 'repairs_spent' ? receipt === null : isEmpty && !changedBefore(receipt)
}

const changedBefore = (receipt: Attempt['receipt']): boolean => (receipt?.changed?.files ?? 0) > 0

/**
 * Returns true for a task that is about one file, or about one function: splitting it makes it no easier. Files that it
 * only refers to do not count.
 */
export function isOnePiece(task: Task): boolean {
  const { files, names } = findNamedCode(task)
  const written = findTargets(task, null, []).filter((path) => !isTestFile(path))
  return [files.length, written.length].includes(1) || (files.length === 0 && names.length === 1)
}

/**
 * Returns true when the model has had its tries at a task that is clear: it is about one piece of code, or its tests
 * were red before and show the wanted result. No request asks why such a task failed.
 */
export function hadItsTries(attempt: Attempt): boolean {
  const { task, failure, broken, receipt } = attempt
  if (failure === null || !triedEnds.has(failure.at)) return false
  const areTestsKnown = broken.length > 0 && (receipt?.before?.failed ?? 0) > 0
  return isOnePiece(task) || areTestsKnown
}

/** In one sentence: `4 of 6 tests pass after 3 tries: adds two: expected 3`. */
export function tellHowFar(attempt: Attempt): string {
  const { tries, tests } = howFar(attempt)
  const after = `after ${tries === 1 ? '1 try' : `${tries} tries`}`
  const [first = ''] = (attempt.failure?.message ?? '').split('\n')
  const why = first === '' ? '' : `: ${oneLine(first).replace(/:$/, '')}`
  if (broughtNothing(attempt)) return `No usable answer ${after}${why}`
  if (tests === null) return `Not done ${after}${why}`
  const pass = tests.of === 1 ? 'passes' : 'pass'
  return `${tests.passed} of ${countOf(tests.of, 'test')} ${pass} ${after}${why}`
}
