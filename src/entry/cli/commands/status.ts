import { join } from 'node:path'
import { findWorker } from '../../../adapters/file-store/run-lock.ts'
import { newest, readState } from '../../../adapters/file-store/state-files.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import { finishedVerdicts } from '../../../core/domain/verdict.ts'
import { verdictText } from '../../../publish/report/describe-result.ts'
import { findOwnWork } from '../../../roadmap/standing/find-own-work.ts'
import { reconcileTasks } from '../../../roadmap/standing/reconcile-tasks.ts'
import { type Paint, paintMark } from '../../progress/tell-run.ts'
import { describeTasks, type TaskState, type Worker } from '../describe-tasks.ts'
import { openRoadmap } from '../open-roadmap.ts'
import { printable } from '../show-history.ts'
import type { Terminal } from '../terminal.ts'
import { wrapWords } from '../wrap-words.ts'

/** `executor status`: the status of each task with the reason, and what to do about those that need a person. */
export async function status(
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  const { root, roadmap, view, workspace } = await openRoadmap(flags, terminal)
  const { branches, kept } = await findOwnWork(view, workspace)
  const { results } = reconcileTasks({
    tasks: roadmap.tasks,
    ...{ branches, kept },
    pullRequests: [],
    forge: 'local',
    only: null,
    base: view.base.branch,
  })
  const directory = join(root, '.executor')
  const worker = await findWorker(directory)
  const read = await readState(directory, newest)
  const last = read.status === 'read' ? read.state : null
  const tasks = describeTasks(roadmap.tasks, results, last, worker).map((task) =>
    task.status === 'waiting' && kept.has(task.id) ? { ...task, next: joinByHand(task.id) } : task,
  )
  const run = last && describeRun(last, worker)
  if (flags.json) {
    terminal.print(JSON.stringify({ base: view.base, run, tasks }, null, 2))
    return 0
  }
  for (const task of tasks) showTask(task, terminal)
  const { branch, sha } = view.base
  terminal.say(`${countStates(tasks)}; base ${branch} ${sha.slice(0, 7)}`)
  if (run !== null) {
    terminal.say(`${worker === null ? 'Last run' : 'Running'}: ${run.id}, ${run.state}`)
  }
  if (read.status === 'damaged' || read.status === 'unknown') {
    terminal.say(`note: the state of the last run cannot be read (${read.detail}).`)
  }
  return 0
}

const joinByHand = (id: string): string =>
  `Merge or rebase ours onto the branch; or do it again on top of theirs: executor run --task ${id}`

function showTask(
  { id, title, status, branch, reason, next, since }: TaskState,
  { print, paint }: Terminal,
): void {
  const words = verdictText(status).padEnd(11)
  const where = branch === null ? '' : `  ${paint('dim', branch)}`
  print(`${markOf(status, paint)} ${id.padEnd(10)} ${words} ${printable(title)}${where}`)
  const when = since === null ? '' : `since ${toMinute(since)}, `
  const isClear = isFinished(status) && status !== 'unverified'
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

const isFinished = (status: TaskState['status']): boolean =>
  finishedVerdicts.some((verdict) => verdict === status)

/** Statuses that need no count of their own. */
const uncounted: readonly TaskState['status'][] = ['pending', 'in_progress', 'cancelled']

/** `2 of 5 done, 1 failed, 1 waiting`. */
function countStates(tasks: readonly TaskState[]): string {
  const statuses = tasks.map(({ status }) => status)
  const others = statuses.filter((status) => !isFinished(status) && !uncounted.includes(status))
  const counts = [...Map.groupBy(others, verdictText)].map(
    ([words, { length }]) => `, ${length} ${words}`,
  )
  return `${statuses.filter(isFinished).length} of ${tasks.length} done${counts.join('')}`
}

const stops = {
  limit: 'stopped at a limit',
  cancelled: 'cancelled',
  unavailable: 'stopped because something could not be reached',
} as const

/** The current run, or the last one. */
function describeRun({ run, progress: { stopped } }: RunState, worker: Worker | null) {
  const { id, startedAt, completedAt } = run
  const describe = (): string => {
    if (worker !== null) {
      return `process ${worker.pid} on ${worker.host}, since ${toMinute(worker.since)}`
    }
    if (completedAt === null) return `interrupted, started ${toMinute(startedAt)}`
    return `${stopped === null ? 'finished' : stops[stopped]} ${toMinute(completedAt)}`
  }
  return { id, startedAt, completedAt, state: describe() }
}

/** `2026-01-31 12:30 UTC` */
const toMinute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`
