import { membersOf, type RoadmapProblem, type Task } from '../../../packages/task/task.ts'
import { taskIdOfBranch, taskIdOfRecoveryBranch } from '../../core/domain/branches.ts'
import { attemptsOf, changeState, type StateFacts } from '../../core/domain/change-state.ts'
import { tasksOfTip, trailer } from '../../core/domain/identity.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type { RepositoryView } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { loadOpenTasks, loadRoadmap } from '../load-roadmap.ts'
import { missingRoadmap } from '../missing-roadmap.ts'
import { findStart } from '../start/find-start.ts'
import { findOwnWork } from './find-own-work.ts'
import { waitElsewhere } from './is-left.ts'
import type { BrokenGroup } from './judge-groups.ts'
import { reconcileTasks } from './reconcile-tasks.ts'

/** The status of all tasks, without working on any of them. */
export interface Standing {
  readonly tasks: readonly Task[]
  readonly problems: readonly RoadmapProblem[]
  readonly results: RunState['tasks']['results']
  /** Ids of tasks that could start now. */
  readonly ready: readonly string[]
  /** The reason why each of the other open tasks has to wait. */
  readonly waits: Readonly<Record<string, string>>
}

/**
 * Derives the status of the tasks from roadmap, issues, branches and pull requests. Writes nothing.
 *
 * @throws ExecutorError `no_roadmap` when there is neither a roadmap nor an issue
 */
export async function findStanding(
  view: RepositoryView,
  pullRequests: readonly PullRequest[],
  issues: RunState['asked']['issues'],
  ports: Pick<Ports, 'workspace' | 'settings' | 'forge' | 'elsewhere'>,
): Promise<Standing> {
  const { base } = view
  const path = ports.settings.roadmap
  const where = { roadmap: { base, path }, asked: { issues } }
  const roadmap = await loadRoadmap(where, ports)
  if (roadmap === null) throw await missingRoadmap(base.sha, ports)
  const { branches, kept } = await findOwnWork(view, ports.workspace)
  const { results } = reconcileTasks({
    tasks: roadmap.tasks,
    ...{ branches, kept },
    pullRequests,
    forge: ports.forge.kind,
    only: null,
    base: base.branch,
  })
  const { tasks, problems } = roadmap
  return { tasks, problems, results, ...(await findReady(where, results, ports)) }
}

/** The groups of tasks that are wanted only together, one of which failed for good. */
export async function findBroken(
  { base, branches }: RepositoryView,
  pullRequests: readonly PullRequest[],
  issues: RunState['asked']['issues'],
  ports: Pick<Ports, 'workspace' | 'settings' | 'forge'>,
): Promise<readonly BrokenGroup[]> {
  const where = { roadmap: { base, path: ports.settings.roadmap }, asked: { issues } }
  const tasks = (await loadRoadmap(where, ports))?.tasks ?? []
  if (tasks.every(({ together }) => together === undefined)) return []
  const given = { tasks, branches, pullRequests, forge: ports.forge.kind, only: null }
  return reconcileTasks({ ...given, base: base.branch }).groups
}

/** Sorts the open tasks without a verdict into those that can start and those that have to wait. */
export async function findReady(
  where: StateFacts<'roadmap.base' | 'roadmap.path' | 'asked.issues'>,
  results: RunState['tasks']['results'],
  ports: Pick<Ports, 'workspace' | 'settings' | 'elsewhere'>,
): Promise<Pick<Standing, 'ready' | 'waits'>> {
  const { order, dependsOn, buildsOn } = await loadOpenTasks(where, ports)
  const ready: string[] = []
  const waits: Record<string, string> = {}
  for (const task of order) {
    const { id } = task
    if (results[id] !== undefined) continue
    const wait = await waitElsewhere(task, ports)
    if (wait !== null) {
      waits[id] = wait
      continue
    }
    const needs = { dependsOn: dependsOn.get(id) ?? [], buildsOn: buildsOn.get(id) ?? [] }
    const start = await findStart(id, needs, { ...where, tasks: { results } }, ports)
    if (start.status === 'start') ready.push(id)
    else waits[id] = start.reason
  }
  return { ready, waits }
}

/**
 * Reads the base after the executor merged something, and what branches and pull requests say about its tasks: an
 * earlier run may have worked on a task that the merge brought in.
 */
export async function readBaseAnew(
  state: RunState,
  ports: Pick<Ports, 'workspace' | 'forge' | 'settings'>,
): Promise<StateFacts<'roadmap.base' | 'tasks.heads' | 'tasks.results'>> {
  const view = await ports.workspace.refresh()
  const { base } = view
  const { branches, kept } = await findOwnWork(view, ports.workspace)
  const roadmap = await loadRoadmap(changeState(state, { roadmap: { base } }), ports)
  const { results } = reconcileTasks({
    tasks: roadmap?.tasks ?? [],
    ...{ branches, kept },
    pullRequests: await ports.forge.pullRequests(),
    forge: ports.forge.kind,
    only: null,
    base: base.branch,
    again: Object.keys({ ...state.asked.answers, ...state.asked.feedback, ...state.asked.grants }),
  })
  return {
    roadmap: { base },
    tasks: {
      heads: Object.fromEntries(branches.map(({ name, sha }) => [name, sha])),
      results: { ...results, ...state.tasks.results },
    },
  }
}

/**
 * Tasks that this run had not started when it was interrupted, and whose branches have moved since. The next run
 * judges them, and this run leaves them alone. The values are reasons, as in `held`.
 */
export function workedOnSince(
  { run: { id: runId }, progress: { next }, tasks: { heads, results }, ...walks }: RunState,
  { branches }: Pick<RepositoryView, 'branches'>,
): RunState['tasks']['leases'] {
  // That node reads all branches itself.
  if (next === 'parse_roadmap') return {}
  const moved = branches.filter(
    ({ name, sha, trailers }) => sha !== heads[name] && trailers[trailer.run] !== runId,
  )
  const tasks = moved.flatMap((tip) => [
    ...[taskIdOfBranch(tip.name) ?? taskIdOfRecoveryBranch(tip.name) ?? []].flat(),
    ...tasksOfTip(tip).map(({ id }) => id),
  ])
  const underWay = attemptsOf(walks).flatMap(({ task }) => membersOf(task).map(({ id }) => id))
  const left = tasks.filter((id) => !underWay.includes(id) && results[id] === undefined)
  return Object.fromEntries(left.map((id) => [id, 'another run has worked on it since']))
}
