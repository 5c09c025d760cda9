import { type Diagnosis, sameDiagnosis } from '../../../packages/diagnosis/diagnosis.ts'
import { oneLine } from '../../../packages/text/text.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import type { RunError } from '../../core/domain/run-state.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import { isAsserted, problemSignature } from '../step/note-repair.ts'

/** Verdicts in a row after which the next task would probably fail for the same cause. */
const enough = 5

/**
 * The cause of an attempt's end outside its tests and code: a failing set-up, a missing program or package, a killed
 * run, an endpoint. Undefined for failures that another answer could solve.
 */
export function causeOf({ classification, failure }: Attempt): Diagnosis | undefined {
  if (classification?.reason === 'missing_dependency') return undefined
  if (classification?.diagnosis !== undefined) return classification.diagnosis
  const { diagnosis } = failure ?? {}
  const isOurs = diagnosis?.kind === 'set-up' || diagnosis?.kind === 'killed'
  return failure?.at === 'cannot_run' && isOurs ? diagnosis : undefined
}

/** Returns the patch that ends a run whose last tasks all failed for one cause; otherwise `null`. */
export function sameCause({
  tasks: { results },
  progress: { limits },
  record: { errors },
}: StateFacts<'tasks.results' | 'progress.limits' | 'record.errors'>): StateFacts<
  'progress.limits' | 'record.errors' | 'progress.stuck'
> | null {
  const tried = Object.values(results).filter(isTried).slice(-enough)
  const [first] = tried
  const cause = first?.diagnosis
  if (tried.length < enough || cause === undefined) return null
  if (tried.some(({ diagnosis: other }) => !other || !sameDiagnosis(cause, other))) return null
  const error: RunError = {
    code: 'same_cause',
    message: `${enough} tasks in a row ended for one cause, so the others were not tried: ${first?.reason}`,
    next: 'Fix that first, then run again.',
    taskId: null,
  }
  return {
    progress: { limits: [...limits, 'same_cause'], stuck: cause },
    record: { errors: [...errors, error] },
  }
}

/** Tasks in a row that end on one error, whatever its kind, before the run ends. */
const enoughErrors = 3

/**
 * The error that an attempt ended on: a test's message, with the test's name where an assertion failed; or a problem of
 * the code, without its place. Undefined for other ends.
 */
export function errorOf({ failure, broken }: Attempt): string | undefined {
  if (failure?.at !== 'repairs_spent' && failure?.at !== 'failed') return undefined
  const [problem] = failure.problems
  if (problem !== undefined) return problemSignature(problem)
  const test = broken[0] ?? failure.failures[0]
  if (test === undefined) return undefined
  return oneLine(isAsserted(test) ? `${test.test}: ${test.message}` : test.message)
}

/** Returns the patch that ends a run whose last tasks ended on one error; otherwise `null`. */
export function sameError({
  tasks: { results },
  progress: { limits },
}: StateFacts<'tasks.results' | 'progress.limits'>): StateFacts<
  'progress.limits' | 'progress.stopped'
> | null {
  const last = Object.values(results).filter(isTried).slice(-enoughErrors)
  const [first] = last
  const error = first?.endedOn
  if (last.length < enoughErrors || error === undefined) return null
  if (last.some(({ endedOn }) => endedOn !== error)) return null
  const sentence = `${last.map(({ id }) => id).join(', ')} ended on the same error: ${oneLine(first?.reason ?? '')} (same_error)`
  return { progress: { limits: [...limits, sentence], stopped: 'limit' } }
}

/** True for a task that this run made an attempt at. */
export const isTried = ({ thisRun, attempts }: TaskResult): boolean => thisRun && attempts > 0
