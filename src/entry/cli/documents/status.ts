import { join } from 'node:path'
import { findWorker } from '../../../adapters/file-store/run-lock.ts'
import { newest, readState } from '../../../adapters/file-store/state-files.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import { findOwnWork, rebase, withConflicts } from '../../../tasks/standing/find-own-work.ts'
import { reconcileTasks } from '../../../tasks/standing/reconcile-tasks.ts'
import { describeTasks, type Worker } from '../describe-tasks.ts'
import { openRoadmap } from '../open-roadmap.ts'
import type { Terminal } from '../terminal.ts'

/** The status of each task: the document of `executor status --json`. */
export async function readStatus(flags: Readonly<Record<string, unknown>>, terminal: Terminal) {
  const { root, settings, roadmap, view, workspace } = await openRoadmap(flags, terminal)
  const { branches, kept } = await findOwnWork(view, workspace)
  const { results: found } = reconcileTasks({
    tasks: roadmap.tasks,
    ...{ branches, kept },
    pullRequests: [],
    forge: 'local',
    only: null,
    base: view.base.branch,
  })
  const results = await withConflicts(found, view.base, settings.roadmap, workspace)
  const isInConflict = (id: string) => results[id]?.verdict !== found[id]?.verdict
  const directory = join(root, '.executor')
  const worker = await findWorker(directory)
  const read = await readState(directory, newest)
  const last = read.status === 'read' ? read.state : null
  const tasks = describeTasks(roadmap.tasks, results, last, worker).map((task) => {
    const { id, status, branch } = task
    if (status !== 'waiting') return task
    if (kept.has(id)) return { ...task, next: joinByHand(id) }
    const next = `Resolve it: ${rebase(branch ?? '', view.base.branch)}`
    return isInConflict(id) ? { ...task, next } : task
  })
  const isUnreadable = read.status === 'damaged' || read.status === 'unknown'
  return {
    status: { base: view.base, run: last && describeRun(last, worker), tasks },
    isRunning: worker !== null,
    /** Why the state of the last run cannot be read; `null` where it can. */
    unreadable: isUnreadable ? read.detail : null,
  }
}

const joinByHand = (id: string): string =>
  `Merge or rebase ours onto the branch; or do it again on top of theirs: executor run --task ${id}`

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
export const toMinute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`
