import { isTaskId, type Task } from '../../../packages/task/task.ts'
import {
  boundMarkdown,
  clip,
  fenced,
  neutraliseLine,
  writeList,
} from '../../../packages/text/text.ts'
import type { TaskResult, Verdict } from '../../core/domain/verdict.ts'
import type { Standing } from '../../tasks/standing/find-standing.ts'
import { because } from './describe-verification.ts'

/** The dashboard is found by this and its author. */
export const dashboardMarker = '<!-- executor:dashboard -->'
export const dashboardTitle = 'Roadmap dashboard'

const mostRows = 60
const longestTitle = 120
const longestReason = 300

/** GitHub accepts 65,536 characters in a body. */
const longestBody = 65_000

/** The action that a ticked box on the dashboard requests. */
export interface DashboardOrder {
  readonly action: 'run' | 'retry'
  readonly id: string
}

interface Section {
  readonly title: string
  readonly action: DashboardOrder['action'] | null
  readonly rows: readonly {
    readonly task: Task
    readonly result: TaskResult | null
    /** Why the task is in its group; may be empty. */
    readonly reason: string
  }[]
}

/**
 * The status of every task, for one sticky issue. The same standing and last run give the same text, so that an
 * unchanged dashboard is not written again.
 *
 * @param lastRun the text from `writeLastRun`, or from `readLastRun` if no run has worked since
 */
export function writeDashboard(standing: Standing, roadmap: string, lastRun = ''): string {
  const done = standing.tasks.filter(
    ({ id, status }) => status === 'done' || standing.results[id]?.verdict === 'done',
  )
  const shown = sectionsOf(standing).filter(({ rows }) => rows.length > 0)
  const parts = [
    dashboardMarker,
    `The status of the tasks in \`${roadmap.replaceAll('`', '')}\`. Tick a box to start or retry its task.`,
    drawCounts([
      ...shown.map(({ title, rows }) => [title, rows.length] as const),
      ['Done', done.length],
    ]),
    ...shown.map(writeSection),
    `### Done: ${done.length} of ${standing.tasks.length}`,
    ...(lastRun === '' ? [] : [lastRun]),
    '<sub>Comment `/run`, `/status` or `/help`. The label `executor:stop` on this issue stops the bot; `dashboard: false` in the configuration turns this page off.</sub>',
  ]
  return boundMarkdown(parts.join('\n\n'), longestBody)
}

/** The ticked boxes in the order of the text, without duplicates. */
export function readDashboardOrders(body: string): readonly DashboardOrder[] {
  const found = new Map<string, DashboardOrder>()
  for (const line of body.split(/\r?\n/).slice(0, 10_000)) {
    const ticked = /^- \[[xX]\] <!-- executor:do (run|retry) (\S{3,81}) -->/.exec(line)
    const [, action, id = ''] = ticked ?? []
    if (ticked === null || !isTaskId(id)) continue
    found.set(id, { action: action === 'retry' ? 'retry' : 'run', id })
  }
  return [...found.values()]
}

function sectionsOf({ tasks, results, ready, waits }: Standing): readonly Section[] {
  const rows = (isIn: (task: Task, result: TaskResult | null) => boolean): Section['rows'] =>
    tasks.flatMap((task) => {
      const result = results[task.id] ?? null
      if (!isIn(task, result)) return []
      return [{ task, result, reason: result?.reason ?? waits[task.id] ?? '' }]
    })
  const having = (...verdicts: readonly Verdict[]) =>
    rows((_, result) => result !== null && verdicts.includes(result.verdict))
  return [
    { title: 'Waiting for you', action: 'retry', rows: having('waiting', 'over_budget') },
    { title: 'In review', action: null, rows: having('in_review', 'unverified', 'replaced') },
    { title: 'Ready', action: 'run', rows: rows(({ id }) => ready.includes(id)) },
    { title: 'Waiting for other tasks', action: null, rows: rows(({ id }) => id in waits) },
    { title: 'Deferred', action: 'retry', rows: having('deferred') },
    { title: 'Failed', action: 'retry', rows: having('failed') },
    { title: 'Rolled back', action: 'retry', rows: having('rolled_back') },
    { title: 'Left out', action: 'retry', rows: having('rejected', 'skipped') },
    {
      title: 'Blocked in the roadmap',
      action: null,
      rows: rows(({ status }, result) => status === 'blocked' && result === null),
    },
  ]
}

function writeSection({ title, action, rows }: Section): string {
  const lines = rows.slice(0, mostRows).map(({ task, result, reason }) => {
    const box = action === null ? '' : `[ ] <!-- executor:do ${action} ${task.id} --> `
    const words = neutraliseLine(clip(task.title, longestTitle))
    const number = result?.pullRequest?.number
    const link = number === undefined ? '' : ` #${number}`
    // The link already names the pull request.
    const about = reason.startsWith(`#${number} `) ? reason.slice(`#${number} `.length) : reason
    const why = because(clip(about, longestReason))
    const gap = result?.receipt?.evidence === 'unharmed' ? ' (unharmed: no test shows it)' : ''
    return `${box}**${task.id}** ${words}${link}${gap}${why}`
  })
  const left = rows.length - mostRows
  if (left > 0) lines.push(`and ${left} more: \`/status\` lists them`)
  return `### ${title} (${rows.length})\n\n${writeList(lines)}`
}

/** A pie chart of the counts, or a sentence without tasks. */
function drawCounts(counts: readonly (readonly [string, number])[]): string {
  const some = counts.filter(([, count]) => count > 0)
  if (some.length === 0) return 'There are no tasks yet.'
  const slices = some.map(([name, count]) => `  "${name}" : ${count}`)
  return fenced(['pie showData', ...slices].join('\n'), 'mermaid')
}
