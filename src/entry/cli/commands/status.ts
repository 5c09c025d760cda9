import { join } from 'node:path'
import { findWorker } from '../../../adapters/file-store/run-lock.ts'
import { newest, readState } from '../../../adapters/file-store/state-files.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import { reconcileTasks } from '../../../roadmap/standing/reconcile-tasks.ts'
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
  const { root, roadmap, view } = await openRoadmap(flags, terminal)
  const { results } = reconcileTasks({
    tasks: roadmap.tasks,
    branches: view.branches,
    pullRequests: [],
    forge: 'local',
    only: null,
    base: view.base.branch,
  })
  const directory = join(root, '.executor')
  const worker = await findWorker(directory)
  const read = await readState(directory, newest)
  const last = read.status === 'read' ? read.state : null
  const tasks = describeTasks(roadmap.tasks, results, last, worker)
  if (flags.json) {
    const run = describeRun(last, worker)
    terminal.print(JSON.stringify({ base: view.base, run, tasks }, null, 2))
    return 0
  }
  for (const task of tasks) showTask(task, terminal)
  const { branch, sha } = view.base
  terminal.say(`${countStates(tasks)}; base ${branch} ${sha.slice(0, 7)}`)
  const run = describeRun(last, worker)
  if (run !== null) {
    terminal.say(
      worker === null ? `Last run: ${run.id}, ${run.state}` : `Running: ${run.id}, ${run.state}`,
    )
  }
  if (read.status === 'damaged' || read.status === 'unknown') {
    terminal.say(`note: the state of the last run cannot be read (${read.detail}).`)
  }
  return 0
}

const colours = {
  failed: 'red',
  running: 'cyan',
  waiting: 'yellow',
  interrupted: 'yellow',
  deferred: 'yellow',
  unverified: 'yellow',
} as const

const marks: Readonly<Record<string, string>> = {
  ...{ done: '✔', in_review: '✔', replaced: '✔', unverified: '◌' },
  ...{ failed: '✖', running: '▶', pending: '·', in_progress: '·', cancelled: '-' },
}

function showTask(
  { id, title, status, branch, reason, next, since }: TaskState,
  terminal: Terminal,
): void {
  const { print, paint } = terminal
  const mark = marks[status] ?? '●'
  const colour = Object.hasOwn(colours, status) ? colours[status as keyof typeof colours] : null
  const painted = colour === null ? mark : paint(colour, mark)
  const words = status.replaceAll('_', ' ').padEnd(11)
  const where = branch === null ? '' : `  ${paint('dim', branch)}`
  print(`${painted} ${id.padEnd(10)} ${words} ${printable(title)}${where}`)
  const when = since === null ? '' : `since ${since.slice(0, 16).replace('T', ' ')} UTC, `
  const isTold = reason !== '' && marks[status] !== '✔'
  if (isTold) print(wrapWords(`    ${when}${printable(reason)}`, process.stdout.columns))
  if (next !== '' && marks[status] !== '✔') print(`    ${paint('cyan', '→')} ${next}`)
}

/** `2 of 5 done, 1 failed, 1 waiting`. */
function countStates(tasks: readonly TaskState[]): string {
  const isDone = ({ status }: TaskState) => marks[status] === '✔' || status === 'unverified'
  const others = [
    ...Map.groupBy(
      tasks.filter((task) => !isDone(task)),
      ({ status }) => status,
    ),
  ]
  const counts = others
    .filter(
      ([status]) => !isSettledWord(status) && status !== 'pending' && status !== 'in_progress',
    )
    .map(([status, { length }]) => `, ${length} ${status.replaceAll('_', ' ')}`)
  return `${tasks.filter(isDone).length} of ${tasks.length} done${counts.join('')}`
}

const isSettledWord = (status: string): boolean => status === 'cancelled' || status === 'done'

/** The current run, or the last one. */
function describeRun(last: RunState | null, worker: Worker | null) {
  if (last === null) return null
  const { id, startedAt, completedAt } = last.run
  const stopped = last.progress.stopped
  const ends = {
    limit: 'stopped at a limit',
    cancelled: 'cancelled',
    unavailable: 'stopped because something could not be reached',
  } as const
  const minute = (time: string) => `${time.slice(0, 16).replace('T', ' ')} UTC`
  if (worker !== null) {
    const state = `process ${worker.pid} on ${worker.host}, since ${minute(worker.since)}`
    return { id, startedAt, completedAt, state }
  }
  if (completedAt === null) {
    return { id, startedAt, completedAt, state: `interrupted, started ${minute(startedAt)}` }
  }
  const how = stopped === null ? 'finished' : ends[stopped]
  return { id, startedAt, completedAt, state: `${how} ${minute(completedAt)}` }
}
