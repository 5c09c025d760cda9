import type { StateFacts, StatePatch } from '../../core/domain/change-state.ts'
import type { Task } from '../../core/domain/task.ts'
import { finishedVerdicts, type TaskResult } from '../../core/domain/verdict.ts'
import type { Ports } from '../../core/ports.ts'
import { depthOf } from '../document/replace-task.ts'
import { loadRoadmap } from '../load-roadmap.ts'
import { chooseStart, type Start, type Tip } from './choose-start.ts'

type Where = StateFacts<'roadmap.base' | 'roadmap.path' | 'tasks.results'> & StatePatch
type Needs = Pick<Ports, 'workspace' | 'settings'>

/**
 * Where a task could start now, given what is finished; else what it waits for.
 *
 * @param needs.dependsOn what of its dependencies is not in the base yet
 * @param needs.buildsOn what it starts from as well, where that is finished and on one line with the rest
 */
export async function findStart(
  id: string,
  { dependsOn, buildsOn = [] }: { dependsOn: readonly string[]; buildsOn?: readonly string[] },
  where: Where,
  ports: Needs,
): Promise<Start> {
  const { base } = where.roadmap
  const { results } = where.tasks
  const unmet = dependsOn.filter((id) => !isFinished(results[id]))
  if (unmet.length > 0) return { status: 'waits', reason: `waits for ${unmet.join(', ')}` }
  const choose = (ids: readonly string[]) =>
    chooseStart({
      mode: ports.settings.stack,
      base,
      dependsOn: ids,
      tips: Object.values(results).flatMap(tipOf),
      contains: (sha, ancestor) => ports.workspace.contains(sha, ancestor),
    })
  const fullest = await choose([...dependsOn, ...buildsOn])
  const start = fullest.status === 'start' ? fullest : await choose(dependsOn)
  if (start.status === 'waits' || start.sha === base.sha) return start
  const missing = await missingAt(start.sha, id, where, ports)
  if (missing.length === 0) return start
  const reason = `waits for ${start.branch} to be merged: it grew before ${missing.join(', ')} was`
  return { status: 'waits', reason }
}

/**
 * Dependencies of a task that the base has, and this commit has not; so may be the task itself, when
 * it took another's place after the commit was made.
 */
async function missingAt(
  sha: string,
  id: string,
  where: Where,
  ports: Needs,
): Promise<readonly string[]> {
  const inBase = (await loadRoadmap(where, ports))?.tasks ?? []
  const declared = inBase.find((task) => task.id === id)?.dependsOn ?? []
  const wanted = declared.filter((needed) => isTicked(inBase, needed))
  const isNew = depthOf({ id }) > 0
  if (wanted.length === 0 && !isNew) return []
  const then = { ...where.roadmap, base: { ...where.roadmap.base, sha } }
  const there = await loadRoadmap({ ...where, roadmap: then }, ports)
  const tasks = there?.tasks ?? []
  const absent = isNew && !tasks.some((task) => task.id === id) ? [id] : []
  return [...wanted.filter((needed) => !isTicked(tasks, needed)), ...absent]
}

const isTicked = (tasks: readonly Task[], id: string): boolean =>
  tasks.some((task) => task.id === id && task.status === 'done')

const isFinished = (result: TaskResult | undefined): boolean =>
  result !== undefined && finishedVerdicts.includes(result.verdict)

function tipOf(result: TaskResult): readonly Tip[] {
  const { id, branch, sha, start } = result
  return isFinished(result) && branch !== null && sha !== null ? [{ id, branch, sha, start }] : []
}
