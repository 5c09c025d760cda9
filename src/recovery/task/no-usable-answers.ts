import { countOf } from '../../../packages/text/text.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import { addUsage, noUsage, totalTokens } from '../../core/domain/usage.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import { isTried } from './same-cause.ts'

/** Tasks in a row after which another model, not another task, is worth a try. */
const enough = 3

/** The tasks that ended a run for want of a usable answer, and its patch. */
export interface Hopeless {
  readonly ids: readonly string[]
  readonly patch: StateFacts<'progress.limits' | 'progress.stopped'>
}

/**
 * Ends a run whose last three tasks brought no usable answer at all, with the figures in one sentence; `null` for any
 * other. Another model resumes it: nothing of these tasks is done.
 */
export function noUsableAnswers(
  { tasks: { results }, progress: { limits } }: StateFacts<'tasks.results' | 'progress.limits'>,
  model: string,
): Hopeless | null {
  const tried = Object.values(results).filter(isTried).slice(-enough)
  if (tried.length < enough || !tried.every(isUnusable)) return null
  const usage = tried.reduce((sum, each) => addUsage(sum, each.usage), noUsage)
  const tokens = totalTokens(usage).toLocaleString('en')
  const cost = `${countOf(usage.requests, 'request')}, ${tokens} tokens`
  const sentence = `${enough} tasks in a row brought no usable answer: ${cost}; ${model} may be too weak for them (no_usable_answers)`
  return {
    ids: tried.map(({ id }) => id),
    patch: { progress: { limits: [...limits, sentence], stopped: 'limit' } },
  }
}

/** Returns true when the task tried before this one brought no usable answer either. */
export const isUnusedSoFar = ({ tasks: { results } }: StateFacts<'tasks.results'>): boolean =>
  Object.values(results).findLast(isTried)?.unusable === true

const isUnusable = ({ unusable }: TaskResult): boolean => unusable === true
