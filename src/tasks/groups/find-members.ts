import { openTree } from '../../../packages/change/change.ts'
import { issueOf } from '../../../packages/roadmap/roadmap.ts'
import type { Task } from '../../../packages/task/task.ts'
import { branchOf } from '../../core/domain/branches.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Ports } from '../../core/ports.ts'
import { tasksLeft } from '../../model/budget/run-limits.ts'
import type { OpenTasks } from '../load-roadmap.ts'
import { isLeft } from '../standing/is-left.ts'
import { findStart, type Start } from '../start/find-start.ts'
import { chooseGroup } from './choose-group.ts'

type Needs = Pick<Ports, 'workspace' | 'settings' | 'leases'>

/** The place in the run's order of a task that is about to start. */
interface Leading {
  readonly task: Task
  readonly start: Extract<Start, { readonly status: 'start' }>
  readonly open: OpenTasks
  /** Tasks that another run works on. */
  readonly held: ReadonlyMap<string, string>
}

/**
 * The tasks to do in one request with the one that is about to start, leased for this run; the task itself is the
 * first. Only tasks without earlier attempts and questions, which start from the same commit.
 */
export async function findMembers(
  { task, start, open, held }: Leading,
  state: RunState,
  ports: Needs,
): Promise<readonly Task[]> {
  const kept = keptMembers(task, open.order, state)
  if (kept.length > 1) return kept
  const found = [task]
  const free = { ...open, order: open.order.filter(({ id }) => !held.has(id)) }
  for (const other of (await groupLedBy(task, start, free, state, ports)).slice(1)) {
    const ids = found.map(({ id }) => id)
    const isHere = await startsAt(other, start.sha, ids, open, state, ports)
    if (isHere && (await ports.leases.take(other.id)).status === 'taken') found.push(other)
  }
  return found
}

/** The tasks that may be done with this one, itself first: what another run that has it may do, too. */
export async function groupLedBy(
  task: Task,
  start: Start,
  { order, dependsOn }: Pick<OpenTasks, 'order' | 'dependsOn'>,
  state: RunState,
  ports: Needs,
): Promise<readonly Task[]> {
  const { group: by } = ports.settings
  if (by === 'off' || start.status === 'waits' || !isUntouched(task, state)) return [task]
  const { files } = await openTree(start.sha, ports.workspace)
  const sizes = new Map(files.map(({ path, size }) => [path, size]))
  const others = order.filter(
    (other) => other.id !== task.id && isLeft(state, other.id) && isUntouched(other, state),
  )
  const most = tasksLeft(state, ports.settings)
  return chooseGroup(task, others, { by, dependsOn, sizes, most })
}

/** The group that this task leads: one that a person wants worked on again, or one of tasks that import each other. */
export function keptMembers(
  task: Task,
  order: readonly Task[],
  { tasks: { groups = {}, joined = {}, alone = {} } }: StateFacts<KeptFacts>,
): readonly Task[] {
  const isApart = alone[task.id] !== undefined
  const ids = groups[task.id] ?? (isApart ? undefined : joined[task.id]?.members) ?? []
  const others = order.filter(({ id }) => id !== task.id && ids.includes(id))
  return ids.includes(task.id) ? [task, ...others] : [task]
}

type KeptFacts = 'tasks.groups' | 'tasks.joined' | 'tasks.alone'

/** A task without earlier attempts and questions: it may join a group. */
function isUntouched(task: Task, state: RunState): boolean {
  const { parked, failedBefore, lacked, alone = {}, retried } = state.tasks
  const touched = [parked, failedBefore, lacked, alone]
  return (
    isUnasked(task, state) &&
    touched.every((facts) => facts[task.id] === undefined) &&
    !retried.includes(task.id)
  )
}

/** A task of the roadmap that no person has said anything about, and that has no branch and no question. */
export function isUnasked({ id, owner }: Task, { tasks, asked }: RunState): boolean {
  const touched = [asked.answers, asked.feedback, asked.grants, tasks.questions]
  return (
    owner === undefined &&
    touched.every((facts) => facts[id] === undefined) &&
    tasks.heads[branchOf(id)] === undefined &&
    issueOf(asked.issues, id) === null
  )
}

/** True when the task can start from this commit as soon as these tasks are done. */
export async function startsAt(
  { id }: Pick<Task, 'id'>,
  sha: string,
  earlier: readonly string[],
  { dependsOn, buildsOn }: OpenTasks,
  state: RunState,
  ports: Needs,
): Promise<boolean> {
  const without = (ids: readonly string[] = []) => ids.filter((each) => !earlier.includes(each))
  const needs = { dependsOn: without(dependsOn.get(id)), buildsOn: without(buildsOn.get(id)) }
  const start = await findStart(id, needs, state, ports)
  return start.status === 'start' && start.sha === sha
}
