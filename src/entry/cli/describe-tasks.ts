import { isToDo, membersOf, type Task, type TaskStatus } from '../../../packages/task/task.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { isFinishedVerdict, type TaskResult, type Verdict } from '../../core/domain/verdict.ts'

/** The status of one task for a person, with the reason and the next step. */
export interface TaskState {
  readonly id: string
  readonly title: string
  readonly status: Verdict | TaskStatus | 'running' | 'interrupted'
  readonly branch: string | null
  /** Why; empty if the status says it all. */
  readonly reason: string
  /** What to do next; empty if there is nothing to do. */
  readonly next: string
  /** Start of a running attempt, ISO time. */
  readonly since: string | null
}

/** The process that is working in this repository. */
export interface Worker {
  readonly pid: number
  readonly host: string
  /** ISO time. */
  readonly since: string
}

type Known = Pick<TaskState, 'status' | 'reason' | 'next'> & { readonly since?: string }

/**
 * The status of every task of the roadmap, from branches first, then from the last run.
 *
 * @param results from `reconcileTasks`
 * @param last the state of the last run; `null` without one
 * @param worker `null` when no run is in progress
 */
export function describeTasks(
  tasks: readonly Task[],
  results: Readonly<Record<string, TaskResult>>,
  last: RunState | null,
  worker: Worker | null,
): readonly TaskState[] {
  const open = new Set(
    tasks
      .filter((task) => isToDo(task) && !isFinishedVerdict(results[task.id]?.verdict))
      .map(({ id }) => id),
  )
  return tasks.map((task) => {
    const { id, title } = task
    const found = results[id]
    const known: Known =
      (isToDo(task) && (last === null ? null : byRun(task, found, last, worker))) ||
      (found !== undefined ? byVerdict(id, found.verdict, found.reason) : byBox(task, open))
    return { id, title, branch: found?.branch ?? null, since: null, ...known }
  })
}

/** The last run's facts about an unfinished task. */
function byRun(
  { id, fingerprint }: Task,
  found: TaskResult | undefined,
  { run, attempt, tasks, progress }: RunState,
  worker: Worker | null,
): Known | null {
  if (isFinishedVerdict(found?.verdict)) return null
  const isUnderWay = attempt !== null && membersOf(attempt.task).some((each) => each.id === id)
  if (isUnderWay && run.completedAt === null) {
    const step = progress.next.replaceAll('_', ' ')
    if (worker === null) {
      const reason = `The last run stopped at the step "${step}".`
      return { status: 'interrupted', reason, next: 'executor run resumes it.' }
    }
    const reason = `step "${step}", process ${worker.pid} on ${worker.host}`
    return { status: 'running', reason, next: '', since: attempt.startedAt }
  }
  const parked = tasks.parked[id]
  const left = tasks.results[id]
  if (parked !== undefined) {
    const reason = left?.reason || reasonOfParked(parked)
    return { status: 'waiting', reason, next: howToAnswer(id, tasks) }
  }
  if (left !== undefined && left.fingerprint === fingerprint) {
    if (isFinishedVerdict(left.verdict)) return null
    const known = byVerdict(id, left.verdict, left.reason)
    return left.verdict === 'waiting' ? { ...known, next: howToAnswer(id, tasks) } : known
  }
  // A task that was reworded since then counts as not tried.
  const failed = left === undefined ? tasks.failedBefore[id] : undefined
  return failed === undefined ? null : byVerdict(id, 'failed', failed)
}

function reasonOfParked({ destructive, proposal }: Attempt): string {
  const [first] = destructive
  if (proposal === null && first !== undefined) {
    const more = destructive.length > 1 ? ` and ${destructive.length - 1} more` : ''
    return `A destructive operation needs your decision: ${first.operation} (${first.path}:${first.line})${more}`
  }
  if (proposal === null) return 'It needs your decision.'
  return `The proposal ${proposal.strategy} needs your decision: ${proposal.explanation}`
}

export function howToAnswer(id: string, { questions }: RunState['tasks']): string {
  const [asked] = questions[id] ?? []
  return asked === undefined
    ? `Answer at a terminal: executor run --task ${id}`
    : `Answer in ${asked.url}: /approve, /reject, /retry or /skip`
}

const byVerdict = (id: string, status: Verdict, reason: string): Known => ({
  ...{ status, reason },
  next: nextByVerdict[status]?.(id) ?? '',
})

const again = (id: string): string => `To try it again: executor run --task ${id}`

const nextByVerdict: Readonly<Partial<Record<Verdict, (id: string) => string>>> = {
  failed: (id) => `Reword the task or remove the cause, then: executor run --task ${id}`,
  over_budget: (id) => `Raise the limit that it reached, then: executor run --task ${id}`,
  deferred: () => 'The next run tries it again.',
  skipped: again,
  rejected: again,
  rolled_back: (id) => `To try them all again: executor run --task ${id}`,
  waiting: (id) => `Answer at a terminal: executor run --task ${id}`,
  unverified: () => 'No test has verified it: read it before you merge it.',
}

/** The state of a task without a verdict; an open one names the open tasks it depends on. */
function byBox({ status, dependsOn }: Task, open: ReadonlySet<string>): Known {
  const before = status === 'pending' ? dependsOn.filter((id) => open.has(id)) : []
  return { status, reason: before.length === 0 ? '' : `after ${before.join(', ')}`, next: '' }
}
