import type { RunState } from '../../core/domain/run-state.ts'
import type { Task } from '../../core/domain/task.ts'
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

const cell = (text: string): string => neutraliseLine(text).replaceAll(/(\\*)\|/g, '$1$1\\|')
