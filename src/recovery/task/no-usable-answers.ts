import { countOf } from '../../../packages/text/text.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import { addUsage, noUsage, totalTokens } from '../../core/domain/usage.ts'
import { type Answers, isFinishedVerdict, type TaskResult } from '../../core/domain/verdict.ts'
import { countAnswers } from './how-far.ts'
import { isTried } from './same-cause.ts'

/** Tasks in a row without a usable answer after which another model, not another task, is worth a try. */
const enough = 3

/** Answers to two tasks or more of which so few could be used that the next one hardly can. */
const enoughAnswers = 7

/** The tasks that ended a run for want of a usable answer, and its patch. */
export interface Hopeless {
  readonly ids: readonly string[]
  readonly patch: StateFacts<'progress.limits' | 'progress.stopped'>
}

/**
 * Ends a run whose model brings hardly a usable answer, with the figures in one sentence: none at all to the last three
 * tasks, or so few that the run has finished none. `null` for any other. Another model resumes it: nothing of these
 * tasks is done.
 */
export function noUsableAnswers(
  { tasks: { results }, progress: { limits } }: StateFacts<'tasks.results' | 'progress.limits'>,
  model: string,
): Hopeless | null {
  const last = Object.values(results).filter(isTried).slice(-enough)
  const isNone = last.length === enough && last.every(isUnusable)
  const inVain = triedInVain(results)
  if (!isNone && !isHopeless(inVain.map(({ answers }) => answers))) return null
  const tried = isNone ? last : inVain
  const { usable, of } = sumOf(inVain.map(({ answers }) => answers))
  const what = isNone
    ? `${enough} tasks in a row brought no usable answer`
    : `${usable} of ${of} answers to ${countOf(inVain.length, 'task')} could be used, and none is done`
  const usage = tried.reduce((sum, each) => addUsage(sum, each.usage), noUsage)
  const tokens = totalTokens(usage).toLocaleString('en')
  const cost = `${countOf(usage.requests, 'request')}, ${tokens} tokens`
  const sentence = `${what}: ${cost}; ${model} may be too weak for them (no_usable_answers)`
  return {
    ids: tried.filter(isUnusable).map(({ id }) => id),
    patch: { progress: { limits: [...limits, sentence], stopped: 'limit' } },
  }
}

/**
 * Returns true when another answer to this task is not worth its price: the run has finished no task, and hardly any
 * answer could be used.
 */
export function isTooWeak(
  { tasks: { results } }: StateFacts<'tasks.results'>,
  attempt: Parameters<typeof countAnswers>[0] & Pick<Attempt, 'task'>,
): boolean {
  const now = countAnswers(attempt)
  const others = triedInVain(results).filter(({ id }) => id !== attempt.task.id)
  return now !== null && isHopeless([...others.map(({ answers }) => answers), now])
}

/**
 * At most half of enough answers. Without any, the run ends after as many tasks as that takes. Of all answers of a 135M
 * model 19 % are usable, of a 0.5B model 92 %: a share between these ends runs of the first alone.
 */
function isHopeless(tasks: readonly (Answers | undefined)[]): boolean {
  const { usable, of } = sumOf(tasks)
  return tasks.length > 1 && of >= enoughAnswers && usable > 0 && 2 * usable <= of
}

const sumOf = (tasks: readonly (Answers | undefined)[]): Answers =>
  tasks.reduce<Answers>(
    (sum, each) => ({ usable: sum.usable + (each?.usable ?? 0), of: sum.of + (each?.of ?? 0) }),
    { usable: 0, of: 0 },
  )

/** The tasks that this run tried; none once it has finished one, which shows what its model can do. */
function triedInVain(results: StateFacts<'tasks.results'>['tasks']['results']) {
  const tried = Object.values(results).filter(isTried)
  return tried.some(({ verdict }) => isFinishedVerdict(verdict)) ? [] : tried
}

/** Returns true when the task tried before this one brought no usable answer either. */
export const isUnusedSoFar = ({ tasks: { results } }: StateFacts<'tasks.results'>): boolean =>
  Object.values(results).findLast(isTried)?.unusable === true

const isUnusable = ({ unusable }: TaskResult): boolean => unusable === true
