import type { RunState } from '../../core/domain/run-state.ts'
import type { Task } from '../../core/domain/task.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import { neutraliseLine } from '../../text/markdown/neutralise.ts'

/** Of one reply. */
const mostRows = 50

/** How tasks stand: a line for one, a count and a table for many. */
export function writeStatus(tasks: readonly Task[], results: RunState['results']): string {
  const stands = tasks.map(({ id, title, status }) => {
    const { verdict, reason, pullRequest } = results[id] ?? {}
    const is = (verdict ?? (status === 'pending' ? 'open' : status)).replaceAll('_', ' ')
    const link = pullRequest ? `[#${pullRequest.number}](${pullRequest.url})` : ''
    return { id, title, is, link, why: reason ?? '' }
  })
  const [only] = stands
  if (only === undefined) return 'There is no such task in the roadmap.'
  if (stands.length === 1) {
    const why = only.why === '' ? '' : `: ${neutraliseLine(only.why)}`
    return `**${only.id}** ${neutraliseLine(only.title)} is ${only.is}${only.link && ` in ${only.link}`}${why}.`
  }
  const counts = [...Map.groupBy(stands, ({ is }) => is)].map(
    ([is, { length }]) => `${length} ${is}`,
  )
  const left = stands.filter(({ is }) => is !== 'done')
  const rows = left
    .slice(0, mostRows)
    .map(({ id, title, is, link }) => `| ${id} | ${cell(title)} | ${is} | ${link} |`)
  const more = left.length > mostRows ? [`\nand ${left.length - mostRows} more.`] : []
  const table =
    rows.length === 0 ? [] : ['', '| task | title | stands | PR |', '|---|---|---|---|', ...rows]
  return [`${counts.join(', ')}.`, ...table, ...more].join('\n')
}

/**
 * What became of a task that the roadmap no longer has.
 *
 * @param proposal of other tasks in its place; `null` when there was none
 */
export function writeGone(
  id: string,
  proposal: Pick<PullRequest, 'number' | 'url' | 'state' | 'body'> | null,
  tasks: readonly Task[],
  results: RunState['results'],
): string {
  if (proposal?.state !== 'merged') {
    return `**${id}** is not in the roadmap any more: somebody took it out, or gave it other words.`
  }
  const named = [...proposal.body.matchAll(proposedTask)].map(([, name]) => name)
  const instead = tasks.filter((task) => named.includes(task.id))
  const where = `**${id}** was replaced in [#${proposal.number}](${proposal.url})`
  return instead.length === 0
    ? `${where}, and the roadmap has none of the tasks that took its place.`
    : `${where} by ${instead.map((task) => `**${task.id}**`).join(', ')}.\n\n${writeStatus(instead, results)}`
}

/** As `writeRecovery` lists them. */
const proposedTask = /^- \*\*(\S+)\*\* /gm

const cell = (text: string): string => neutraliseLine(text).replaceAll(/(\\*)\|/g, '$1$1\\|')
