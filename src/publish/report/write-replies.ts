/** Replies to commands: the state of tasks, the result of a run, and the list of commands. */

import type { Task } from '../../../packages/task/task.ts'
import {
  neutralise,
  neutraliseLine,
  tableCell,
  writeList,
  writeTable,
} from '../../../packages/text/text.ts'
import type { ExecutorError } from '../../core/domain/errors.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { isFinishedVerdict } from '../../core/domain/verdict.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import { because, linkTo, verdictText } from './describe-verification.ts'

/** The most rows of one reply. */
const mostRows = 50

/** The state of tasks: a line for one, a count and a table for many. */
export function writeStatus(tasks: readonly Task[], results: RunState['tasks']['results']): string {
  const stands = tasks.map(({ id, title, status }) => {
    const { verdict, reason, pullRequest } = results[id] ?? {}
    const is = verdictText(verdict ?? (status === 'pending' ? 'open' : status))
    return { id, title, is, link: linkTo(pullRequest), why: because(reason) }
  })
  const [only] = stands
  if (only === undefined) return 'The roadmap has no such task.'
  if (stands.length === 1) {
    const { id, title, is, link, why } = only
    return `**${id}** is ${is}${link && ` in ${link}`}${why || '.'}\n\n${neutraliseLine(title)}`
  }
  const counts = [...Map.groupBy(stands, ({ is }) => is)].map(
    ([is, { length }]) => `${length} ${is}`,
  )
  const left = stands.filter(({ is }) => is !== 'done')
  const rows = left
    .slice(0, mostRows)
    .map(({ id, title, is, link }) => [id, tableCell(title), is, link])
  const more = left.length > mostRows ? [`\nand ${left.length - mostRows} more.`] : []
  const table = rows.length === 0 ? [] : ['', writeTable(['task', 'title', 'stands', 'PR'], rows)]
  return [`${counts.join(', ')}.`, ...table, ...more].join('\n')
}

/**
 * What happened to a task that the roadmap no longer has.
 *
 * @param proposal the proposal that replaced it; `null` without one
 */
export function writeGone(
  id: string,
  proposal: Pick<PullRequest, 'number' | 'url' | 'state' | 'body'> | null,
  tasks: readonly Task[],
  results: RunState['tasks']['results'],
): string {
  if (proposal?.state !== 'merged') {
    return `**${id}** is no longer in the roadmap: someone removed or reworded it.`
  }
  const named = [...proposal.body.matchAll(proposedTask)].map(([, name]) => name)
  const instead = tasks.filter((task) => named.includes(task.id))
  const where = `**${id}** was replaced in ${linkTo(proposal)}`
  return instead.length === 0
    ? `${where}; the roadmap has none of the new tasks any more.`
    : `${where} by ${instead.map((task) => `**${task.id}**`).join(', ')}.\n\n${writeStatus(instead, results)}`
}

/** A task as `writeRecovery` lists it. */
const proposedTask = /^- \*\*(\S+)\*\* /gm

/**
 * The result of a run that a command started, with a sentence for each task of the command.
 *
 * @param by the author of the command, neutralised
 */
export function writeOutcome(state: RunState, ids: readonly string[], by: string): string {
  const wanted = new Set(ids)
  const results = Object.values(state.tasks.results).filter(
    ({ id, thisRun }) => wanted.has(id) || (thisRun && state.run.only !== null),
  )
  const lines = [
    ...results.map(({ id, verdict, pullRequest, reason, sha }) => {
      const link = linkTo(pullRequest)
      const at = sha === null ? '' : ` at \`${sha.slice(0, 7)}\``
      return `**${id}** is ${verdictText(verdict)}${link && ` in ${link}`}${at}${because(reason)}`
    }),
    ...state.record.errors.map(({ message, next }) => `${neutralise(message)} ${neutralise(next)}`),
    ...(state.progress.stopped === null ? [] : [stops[state.progress.stopped]]),
  ]
  if (lines.length === 0) return `Done for ${by}: there was nothing to do.`
  return `${state.progress.stopped === null ? 'Done for' : 'For'} ${by}:\n\n${writeList(lines)}`
}

const stops = {
  limit: 'The run reached a limit; the next run continues from there.',
  cancelled: 'The run was cancelled; the next run picks this up again.',
  unavailable: 'The run could not reach a service that it needs; the next run picks this up again.',
} as const

/** The reply when the run of a command stopped with an error. */
export const writeBreak = (
  { message, next }: Pick<ExecutorError, 'message' | 'next'>,
  by: string,
): string =>
  `For ${by}: the run stopped. ${neutralise(message)} ${neutralise(next)}\n\nThe next run picks this up again.`

/** The reply in a review thread that a new attempt should resolve. */
export function writeThreadAnswer(state: RunState, id: string): string {
  const result = state.tasks.results[id]
  if (result?.thisRun === true && isFinishedVerdict(result.verdict)) {
    const where = result.sha === null ? '' : ` with \`${result.sha.slice(0, 7)}\``
    return `Changed${where}. Please review again, and resolve this thread if it is what you meant.`
  }
  return `Not changed yet${because(result?.reason) || '.'}`
}

/** What each command does, one line each, the most used first. */
const commands: readonly (readonly [string, string])[] = [
  [
    '/approve [commit]',
    'carries out the proposal, or merges a finished task where that is allowed',
  ],
  ['/revise <what to change>', 'another attempt, with your words and the open review threads'],
  ['/retry [id]', 'retries the task from scratch, unchanged; with an id, one task of a group'],
  ['/decompose', 'proposes smaller tasks instead'],
  ['/rewrite [what to say]', 'proposes other words for the task'],
  ['/edit', 'replaces the task with your own list, written below the command'],
  ['/allow <path>', 'lets the task change one more file, and tries again'],
  ['/defer', 'closes this, and tries the task again at the next scheduled run'],
  ['/skip [id]', 'closes this, and leaves the task out; with an id, only one task of a group'],
  ['/reject', 'closes this; the task rests until someone asks for it'],
  ['/run [id]', 'works on a task now'],
  ['/cancel', 'stops the work on this'],
  [
    '/rollback',
    'reverts the work on the task: closes its pull request, or proposes to revert its merged commits',
  ],
  ['/status', 'shows the status of the tasks'],
  ['/help', 'shows this list'],
]

export const writeHelp = (): string =>
  `A command is the first word of a comment, or of a comment on a line:

${writeTable(
  ['command', 'what it does'],
  commands.map(([command, meaning]) => [`\`${command}\``, meaning]),
)}

All but the last two need write access. A review counts, too: approving is \`/approve\`, requesting changes is \`/revise\`.`

/** The reply to an unknown command: one line that points to the list. */
export function writeUnknown(word: string, meant: string | null): string {
  const guess = meant === null ? '' : ` Did you mean \`/${meant}\`?`
  return `There is no command \`/${word}\`.${guess} \`/help\` lists all commands.`
}
