import type { Task } from '../../../packages/task/task.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Ports } from '../../core/ports.ts'
import { loadRoadmap } from '../../tasks/load-roadmap.ts'
import { missingRoadmap } from '../../tasks/missing-roadmap.ts'

/** The task as the base has it, so that no change writes its own. */
export async function findCheckTask(
  id: string,
  base: string,
  { workspace, settings }: Pick<Ports, 'workspace' | 'settings'>,
): Promise<Task> {
  const where = { roadmap: { base: { branch: '', sha: base }, path: settings.roadmap } }
  const roadmap = await loadRoadmap(where, { workspace, settings })
  if (roadmap === null) throw await missingRoadmap(base, { workspace, settings })
  const found = roadmap.tasks.find((task) => task.id === id)
  if (found === undefined) throw new ExecutorError('unknown_task', id)
  return found
}
