import { leadsTo, type Task } from '../../../packages/task/task.ts'
import type { Attempt, Classification } from '../../core/domain/attempt.ts'
import {
  changeState,
  type StateFacts,
  type StatePatch,
  tasksInLanes,
} from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { addUsage } from '../../core/domain/usage.ts'
import type { Ports } from '../../core/ports.ts'
import { tasksLeft } from '../../model/budget/run-limits.ts'
import { hasSameWay, mostMembers } from '../../tasks/groups/choose-group.ts'
import { isUnasked, startsAt } from '../../tasks/groups/find-members.ts'
import { loadOpenTasks, type OpenTasks } from '../../tasks/load-roadmap.ts'
import { isLeft } from '../../tasks/standing/is-left.ts'

type Needs = Pick<Ports, 'workspace' | 'settings' | 'leases'>

/**
 * The patch that makes one group of tasks whose files import each other: none of them can be done before the others.
 * The group starts afresh, and its first task carries what all of them cost so far. `null` when the tasks that bring
 * the missing modules do not need this one, when a task may not join or another run has it, or when the tasks were a
 * group of this run before.
 */
export async function joinTasks(
  state: RunState,
  attempt: Attempt,
  { suppliedBy }: Pick<Classification, 'suppliedBy'>,
  ports: Needs,
): Promise<StatePatch | null> {
  if (suppliedBy.length === 0 || ports.settings.strategy === 'agent') return null
  const members = findCycle(attempt.task, suppliedBy, await loadOpenTasks(state, ports))
  const others = members.filter(({ id }) => id !== attempt.task.id)
  const isKnown = suppliedBy.every((id) => others.some((other) => other.id === id))
  const room = Math.min(mostMembers, tasksLeft(withoutResults(state, members), ports.settings))
  if (!isKnown || members.length > room) return null
  if (!members.every((task) => mayJoin(task, attempt.task, state))) return null
  const joined = withoutAttempts(state, members)
  const now = changeState(state, { tasks: joined })
  const open = await loadOpenTasks(now, ports)
  for (const { id } of others) {
    const rest = members.flatMap((member) => (member.id === id ? [] : [member.id]))
    if (!(await startsAt({ id }, attempt.start.sha, rest, open, now, ports))) return null
  }
  for (const { id } of others) {
    if ((await ports.leases.take(id)).status !== 'taken') return null
  }
  const ids = open.order.flatMap(({ id }) => (members.some((each) => each.id === id) ? [id] : []))
  const [first = attempt.task.id] = ids
  const group = { members: ids, ...costOf(members, state, attempt) }
  return { tasks: { ...joined, joined: { ...state.tasks.joined, [first]: group } } }
}

/** Returns true for a task of a group that this run formed of tasks that import each other. */
export const isJoined = (
  { joined = {} }: StateFacts<'tasks.joined'>['tasks'],
  id: string,
): boolean => Object.values(joined).some(({ members }) => members.includes(id))

/** The task, and every task that it needs and that needs it. */
function findCycle(
  task: Task,
  suppliedBy: readonly string[],
  { order, dependsOn }: OpenTasks,
): readonly Task[] {
  const needs = new Map([...dependsOn, [task.id, suppliedBy]])
  return order.filter(
    ({ id }) => id === task.id || (leadsTo(task.id, id, needs) && leadsTo(id, task.id, dependsOn)),
  )
}

/** A task that is left or deferred, goes the same way as the other one, and was in no group of this run. */
function mayJoin(task: Task, current: Task, state: RunState): boolean {
  const { id, together } = task
  const { results, parked } = state.tasks
  const isOpen = results[id] === undefined || results[id].verdict === 'deferred'
  return (
    isOpen &&
    isLeft(withoutResults(state, [task]), id) &&
    isUnasked(task, state) &&
    hasSameWay(task, current) &&
    together === undefined &&
    (parked[id]?.destructive ?? []).length === 0 &&
    !isJoined(state.tasks, id) &&
    state.tasks.alone?.[id] === undefined &&
    !tasksInLanes(state).some((other) => other.id === id)
  )
}

/** The state without the verdicts on these tasks. */
export const withoutResults = (state: RunState, members: readonly Task[]): RunState =>
  changeState(state, { tasks: { results: without(state.tasks.results, members) } })

/** The facts about tasks, as if none of these had been tried. */
const withoutAttempts = ({ tasks }: RunState, members: readonly Task[]) => ({
  results: without(tasks.results, members),
  parked: without(tasks.parked, members),
  failedBefore: without(tasks.failedBefore, members),
})

const without = <Fact>(
  facts: Readonly<Record<string, Fact>>,
  members: readonly Task[],
): Readonly<Record<string, Fact>> =>
  Object.fromEntries(
    Object.entries(facts).filter(([id]) => !members.some((member) => member.id === id)),
  )

/** What the attempts at all of them cost, and how many the first of the group has had. */
function costOf(
  members: readonly Task[],
  { tasks: { parked } }: RunState,
  current: Attempt,
): NonNullable<RunState['tasks']['alone']>[string] {
  const earlier = members.flatMap(({ id }) => (id === current.task.id ? [] : (parked[id] ?? [])))
  const all = [current, ...earlier]
  return {
    usage: all.map(({ usage }) => usage).reduce(addUsage),
    seconds: all.reduce((sum, { seconds }) => sum + seconds, 0),
    attempts: Math.max(...all.map(({ number }) => number)),
  }
}
