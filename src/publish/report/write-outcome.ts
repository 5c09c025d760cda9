import type { ExecutorError } from '../../core/domain/errors.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { finishedVerdicts, type TaskResult } from '../../core/domain/verdict.ts'
import { neutralise } from '../../text/markdown/neutralise.ts'

/**
 * What came of a command that started a run, in a sentence for each task it was about.
 *
 * @param by who gave it, made harmless
 */
export function writeOutcome(state: RunState, ids: readonly string[], by: string): string {
  const wanted = new Set(ids)
  const results = Object.values(state.results).filter(
    ({ id, thisRun }) => wanted.has(id) || (thisRun && state.only !== null),
  )
  const errors = state.errors.map(
    ({ message, next }) => `- ${neutralise(message)} ${neutralise(next)}`,
  )
  const lines = results.map((result) => `- ${describe(result)}`)
  const stopped = state.stopped === null ? [] : [stops[state.stopped]]
  if (lines.length + errors.length + stopped.length === 0)
    return `Done for ${by}: there was nothing to do.`
  const head = state.stopped === null ? `Done for ${by}:` : `For ${by}:`
  return [head, '', ...lines, ...errors, ...stopped.map((words) => `- ${words}`)].join('\n')
}

/** Why the run that a command asked for broke. */
export const writeBreak = (
  { message, next }: Pick<ExecutorError, 'message' | 'next'>,
  by: string,
): string =>
  `For ${by}: the run stopped. ${neutralise(message)} ${neutralise(next)}\n\nI take this up again on my next round.`

const stops = {
  limit: 'The run reached one of its limits; the next one goes on from there.',
  cancelled: 'The run was cancelled; I take this up again on my next round.',
  unavailable: 'What it needs could not be reached; I take this up again on my next round.',
} as const

/** In a thread that a new attempt was to answer: what became of it. */
export function writeThreadAnswer(state: RunState, id: string): string {
  const result = state.results[id]
  if (result?.thisRun === true && finishedVerdicts.includes(result.verdict)) {
    const where = result.sha === null ? '' : ` with \`${result.sha.slice(0, 7)}\``
    return `Taken up${where}: please look again, and resolve this if it is what you meant.`
  }
  const why = result?.reason ? `: ${neutralise(result.reason)}` : '.'
  return `Not done yet${why}`
}

function describe({ id, verdict, pullRequest, reason, sha }: TaskResult): string {
  const link = pullRequest === null ? '' : ` in [#${pullRequest.number}](${pullRequest.url})`
  const at = sha === null ? '' : ` at \`${sha.slice(0, 7)}\``
  const why = reason === '' ? '' : `: ${neutralise(reason)}`
  return `**${id}** is ${verdict.replaceAll('_', ' ')}${link}${at}${why}`
}
