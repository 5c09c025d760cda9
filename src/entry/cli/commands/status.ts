import { isFinishedVerdict } from '../../../core/domain/verdict.ts'
import { verdictText } from '../../../publish/report/describe-verification.ts'
import { type Paint, paintMark } from '../../progress/tell-run.ts'
import type { TaskState } from '../describe-tasks.ts'
import { readStatus, toMinute } from '../documents/status.ts'
import { printable } from '../show-history.ts'
import type { Terminal } from '../terminal.ts'
import { wrapWords } from '../wrap-words.ts'

/** `executor status`: the status of each task with the reason, and what to do about those that need a person. */
export async function status(
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  const { status: read, isRunning, unreadable } = await readStatus(flags, terminal)
  if (flags.json) {
    terminal.print(JSON.stringify(read, null, 2))
    return 0
  }
  const { base, run, tasks } = read
  for (const task of tasks) showTask(task, terminal)
  terminal.say(`${countStates(tasks)}; base ${base.branch} ${base.sha.slice(0, 7)}`)
  if (run !== null) {
    terminal.say(`${isRunning ? 'Running' : 'Last run'}: ${run.id}, ${run.state}`)
  }
  if (unreadable !== null) {
    terminal.say(`note: the state of the last run cannot be read (${unreadable}).`)
  }
  return 0
}

function showTask(
  { id, title, status, branch, reason, next, since }: TaskState,
  { print, paint }: Terminal,
): void {
  const words = verdictText(status).padEnd(11)
  const where = branch === null ? '' : `  ${paint('dim', branch)}`
  print(`${markOf(status, paint)} ${id.padEnd(10)} ${words} ${printable(title)}${where}`)
  const when = since === null ? '' : `since ${toMinute(since)}, `
  const isClear = isFinishedVerdict(status) && status !== 'unverified'
  const isTold = reason !== '' && !isClear
  if (isTold) print(wrapWords(`    ${when}${printable(reason)}`, process.stdout.columns))
  if (next !== '') print(`    ${paint('cyan', '→')} ${next}`)
}

function markOf(status: TaskState['status'], paint: Paint): string {
  switch (status) {
    case 'running':
      return paint('cyan', '▶')
    case 'pending':
    case 'in_progress':
      return '·'
    case 'cancelled':
      return '-'
    case 'interrupted':
    case 'blocked':
      return paint('yellow', '●')
    default:
      return paintMark(status, paint)
  }
}

const isDone = (status: TaskState['status']): boolean =>
  isFinishedVerdict(status) && status !== 'in_review'

/** Statuses that need no count of their own. */
const uncounted: readonly TaskState['status'][] = ['pending', 'in_progress', 'cancelled']

/** `2 of 5 done, 1 in review, 1 failed`. */
function countStates(tasks: readonly TaskState[]): string {
  const statuses = tasks.map(({ status }) => status)
  const others = statuses.filter((status) => !isDone(status) && !uncounted.includes(status))
  const counts = [...Map.groupBy(others, verdictText)].map(
    ([words, { length }]) => `, ${length} ${words}`,
  )
  return `${statuses.filter(isDone).length} of ${tasks.length} done${counts.join('')}`
}
