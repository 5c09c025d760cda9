import type { StateFacts } from '../../core/domain/change-state.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { RoadmapProblem, Task } from '../../core/domain/task.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type { RepositoryView } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { loadOpenTasks, loadRoadmap } from '../load-roadmap.ts'
import { findStart } from '../start/find-start.ts'
import { reconcileTasks } from './reconcile-tasks.ts'

/** How the tasks stand, without any of them being worked on. */
export interface Standing {
  readonly tasks: readonly Task[]
  readonly problems: readonly RoadmapProblem[]
  readonly results: RunState['tasks']['results']
  /** Ids of tasks that could be started at once. */
  readonly ready: readonly string[]
  /** What each of the other open tasks waits for. */
  readonly waits: Readonly<Record<string, string>>
}

/**
 * What roadmap, issues, branches and pull requests say of the tasks. Nothing is written.
 *
 * @throws ExecutorError `no_roadmap` when there is neither a roadmap nor an issue
 */
export async function findStanding(
  view: RepositoryView,
  pullRequests: readonly PullRequest[],
  issues: RunState['asked']['issues'],
  ports: Pick<Ports, 'workspace' | 'settings' | 'forge'>,
): Promise<Standing> {
  const { base, branches } = view
  const path = ports.settings.roadmap
  const where = { roadmap: { base, path }, asked: { issues } }
  const roadmap = await loadRoadmap(where, ports)
  if (roadmap === null) throw new ExecutorError('no_roadmap', path)
  const { results } = reconcileTasks({
    tasks: roadmap.tasks,
    branches,
    pullRequests,
    forge: ports.forge.kind,
    only: null,
    base: base.branch,
  })
  const { tasks, problems } = roadmap
  return { tasks, problems, results, ...(await findReady(where, results, ports)) }
}

/** Open tasks without a verdict: what they could start from, or what they wait for. */
export async function findReady(
  where: StateFacts<'roadmap.base' | 'roadmap.path' | 'asked.issues'>,
  results: RunState['tasks']['results'],
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<Pick<Standing, 'ready' | 'waits'>> {
  const { order, dependsOn, buildsOn } = await loadOpenTasks(where, ports)
  const ready: string[] = []
  const waits: Record<string, string> = {}
  for (const { id } of order) {
    if (results[id] !== undefined) continue
    const needs = { dependsOn: dependsOn.get(id) ?? [], buildsOn: buildsOn.get(id) ?? [] }
    const start = await findStart(id, needs, { ...where, tasks: { results } }, ports)
    if (start.status === 'start') ready.push(id)
    else waits[id] = start.reason
  }
  return { ready, waits }
}
