import { openTree } from '../../../../packages/change/change.ts'
import { membersOf, type Task } from '../../../../packages/task/task.ts'
import type { Attempt } from '../../../core/domain/attempt.ts'
import {
  changeState,
  joinPatches,
  type StateFacts,
  type StatePatch,
  shareCost,
  tasksInLanes,
  wayOf,
} from '../../../core/domain/change-state.ts'
import { label } from '../../../core/domain/identity.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import { withoutObservations } from '../../../core/domain/tool-loop.ts'
import { isFinishedVerdict, type TaskResult } from '../../../core/domain/verdict.ts'
import type { Ports } from '../../../core/ports.ts'
import { modelFor } from '../../../model/budget/check-budget.ts'
import { forecastTask } from '../../../model/budget/forecast.ts'
import { reachedLimit } from '../../../model/budget/run-limits.ts'
import { settleQuestions } from '../../../publish/effects/keep-attempt.ts'
import { writeTodos } from '../../../publish/report/build-report.ts'
import { rollBackParts } from '../../../publish/rollback/roll-back-parts.ts'
import { broughtNothing, countAnswers } from '../../../recovery/task/how-far.ts'
import { isLost } from '../../../recovery/task/is-lost.ts'
import { isJoined } from '../../../recovery/task/join-tasks.ts'
import { noUsableAnswers } from '../../../recovery/task/no-usable-answers.ts'
import { dissolve } from '../../../recovery/task/part-group.ts'
import { causeOf, errorOf, sameCause, sameError } from '../../../recovery/task/same-cause.ts'
import { skipLacking } from '../../../recovery/task/skip-lacking.ts'
import { tellFailure } from '../../../recovery/task/tell-failure.ts'
import { loadOpenTasks, loadRoadmap } from '../../../tasks/load-roadmap.ts'
import { isLeft } from '../../../tasks/standing/is-left.ts'
import { groupOf } from '../../../tasks/standing/judge-groups.ts'
import type { Step } from '../../step.ts'

type Closed = Pick<RunState['tasks'], 'results' | 'parked' | 'failedBefore' | 'lacked'>

/** Books the final cost of the task, closes its attempt, and checks the limits of the run. */
export async function decideNext(
  state: RunState,
  ports: Pick<Ports, 'settings' | 'workspace' | 'forge' | 'store' | 'leases'>,
): Promise<Step<'go_on' | 'limit_reached'>> {
  const closed = await closeAttempt(state, ports)
  const ended = joinPatches(closed, await rollBackGroup(state, closed, ports))
  const now = changeState(state, ended)
  const { order } = await loadOpenTasks(now, ports)
  if (isAnythingLeft(now, order)) {
    const stuck = sameCause(now)
    if (stuck !== null) return { outcome: 'limit_reached', patch: joinPatches(ended, stuck) }
    const hopeless = noUsableAnswers(now, modelFor(state, ports.settings))
    if (hopeless !== null) {
      const open = await leaveOpen(now, hopeless.ids, ports)
      return { outcome: 'limit_reached', patch: joinPatches(ended, open, hopeless.patch) }
    }
    const again = sameError(now)
    if (again !== null) return { outcome: 'limit_reached', patch: joinPatches(ended, again) }
  }
  const { results: judged } = closed.tasks
  const last = state.attempt ? judged[state.attempt.task.id] : Object.values(judged).at(-1)
  const others = order.filter(({ id }) => !isUnderWay(state, id))
  const results = await skipLacking(now, last?.diagnosis, others, ports)
  const patch = joinPatches(ended, { tasks: { results } })
  await keepTodos(changeState(state, patch), ports)
  const after = changeState(state, patch)
  const isLeftOver = isAnythingLeft(after, order)
  const limit = isLeftOver ? reachedLimit(after, ports.settings, isSecondTryLeft(after)) : null
  return limit === null
    ? { outcome: 'go_on', patch }
    : { outcome: 'limit_reached', patch: joinPatches(patch, limit) }
}

/** Takes back the questions about tasks that only lack a better model: the next run tries them. */
async function leaveOpen(
  state: RunState,
  ids: readonly string[],
  ports: Pick<Ports, 'forge' | 'workspace'>,
): Promise<StatePatch> {
  const said =
    'No answer could be used. The next run tries the task again, best with another model.'
  let patch: StatePatch = {}
  for (const id of ids) {
    const how = { said, label: label.deferred }
    patch = joinPatches(patch, await settleQuestions(id, changeState(state, patch), ports, how))
  }
  return patch
}

/** After each verdict, so that a killed run leaves the truth. */
async function keepTodos(
  state: RunState,
  ports: Pick<Ports, 'settings' | 'workspace' | 'store'>,
): Promise<void> {
  const { tasks = [] } = (await loadRoadmap(state, ports)) ?? {}
  await ports.store.writeReport('todos.json', writeTodos(tasks, state.tasks.results))
}

/** When a task fails for good, takes back the tasks that belong together with it. A dry run takes nothing back. */
async function rollBackGroup(
  state: RunState,
  closed: StatePatch,
  ports: Pick<Ports, 'settings' | 'workspace' | 'forge' | 'store' | 'leases'>,
): Promise<StatePatch> {
  const { attempt, run } = state
  if (attempt?.task.together === undefined || run.dryRun || !isLost(attempt, state)) return {}
  const { tasks = [] } = (await loadRoadmap(state, ports)) ?? {}
  const group = groupOf(attempt.task, tasks)
  return group === null ? {} : rollBackParts(changeState(state, closed), group, ports)
}

/** A limit that the last task reaches stops nothing. */
const isAnythingLeft = (state: RunState, order: readonly Task[]): boolean =>
  isSecondTryLeft(state) || order.some(({ id }) => isLeft(state, id) && !isUnderWay(state, id))

/** True for a task that another lane has: it ends by itself. */
const isUnderWay = (state: RunState, id: string): boolean =>
  tasksInLanes(state).some((task) => task.id === id)

/** A deferred task waits for its second try. */
function isSecondTryLeft({ tasks: { results, retried } }: RunState): boolean {
  const isDeferred = ({ id, verdict, thisRun }: TaskResult) =>
    verdict === 'deferred' && thisRun && !retried.includes(id)
  return Object.values(results).some(isDeferred) || retried.some((id) => results[id] === undefined)
}

/** Parks a deferred task's attempt: its second try resumes counting where this one stopped. */
async function closeAttempt(
  state: RunState,
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<
  Pick<RunState, 'attempt'> &
    StateFacts<'tasks.results' | 'tasks.parked' | 'tasks.failedBefore' | 'tasks.lacked'>
> {
  const { attempt } = state
  const { results, parked, failedBefore, lacked } = state.tasks
  if (attempt === null) return { tasks: { results, parked, failedBefore, lacked }, attempt }
  await ports.workspace.discard(attempt.task.id)
  if (isDissolved(attempt, state)) {
    const { tasks } = dissolve(state, attempt)
    return { tasks, attempt: null }
  }
  const { task } = attempt
  // It starts afresh in a group.
  if (results[task.id] === undefined && isJoined(state.tasks, task.id)) {
    return { tasks: { results, parked, failedBefore, lacked }, attempt: null }
  }
  const members = membersOf(task)
  let tasks = { results, parked, failedBefore, lacked }
  for (const [index, member] of members.entries()) {
    tasks = await closeTask(tasks, attempt, { member, index, many: members.length }, ports)
  }
  return { tasks, attempt: null }
}

/** True for a group that nothing was published of. The work of one with a pull request stays where it is. */
const isDissolved = ({ task, head }: Attempt, { run, tasks: { results } }: RunState): boolean =>
  task.members !== undefined &&
  head === null &&
  !run.dryRun &&
  results[task.id]?.branch == null &&
  !isFinishedVerdict(results[task.id]?.verdict)

async function closeTask(
  { results, parked, failedBefore, lacked }: Closed,
  attempt: Attempt,
  { member, index, many }: { readonly member: Task; readonly index: number; readonly many: number },
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<Closed> {
  const { id, fingerprint } = member
  const result = results[id]
  if (result === undefined) throw new Error(`${id} came to its end without a verdict.`)
  const finished = isFinishedVerdict(result.verdict)
  const why = tellFailure(attempt)
  const { [id]: _, ...others } = failedBefore
  const { [id]: __, ...lack } = lacked
  const cause = finished ? undefined : causeOf(attempt)
  // A share of a group's cost says nothing about a task alone.
  const forecastTokens = finished && many === 1 ? await expectedTokens(attempt, ports) : null
  const cost = shareCost(attempt, many, index)
  const answers = countAnswers(attempt)
  const endedOn = finished ? undefined : errorOf(attempt)
  return {
    results: {
      ...results,
      [id]: {
        ...{ ...result, ...cost, forecastTokens, diagnosis: cause },
        ...(!finished && broughtNothing(attempt) && { unusable: true }),
        ...(!finished && answers !== null && { answers }),
        ...(endedOn !== undefined && { endedOn }),
      },
    },
    parked:
      result.verdict === 'deferred' ? { ...parked, [id]: withoutObservations(attempt) } : parked,
    failedBefore: finished ? others : { ...failedBefore, ...(why && { [id]: why }) },
    lacked: cause === undefined ? lack : { ...lack, [id]: { fingerprint, cause } },
  }
}

/** Later forecasts learn from this one's error. */
async function expectedTokens(
  { task, start, route }: Attempt,
  { workspace, settings }: Pick<Ports, 'workspace' | 'settings'>,
): Promise<number> {
  const strategy = wayOf({ route }, settings.strategy)
  const { files } = await openTree(start.sha, workspace)
  const sizes = new Map(files.map(({ path, size }) => [path, size]))
  return forecastTask(task, sizes, null, { strategy }).tokens
}
