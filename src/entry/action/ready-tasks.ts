import type { RunState } from '../../domain/run-state.ts'
import type { Ports } from '../../ports.ts'
import { loadOpenTasks } from '../../reconcile/load-roadmap.ts'
import { findStart } from '../../stack/find-start.ts'

/** Ids that could be worked on at once, for a matrix of jobs: no verdict, and nothing they wait for. */
export async function readyTasks(
  where: Pick<RunState, 'base' | 'roadmap'>,
  results: RunState['results'],
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<readonly string[]> {
  const { order, dependsOn } = await loadOpenTasks(where, ports)
  const ready: string[] = []
  for (const { id } of order) {
    if (results[id] !== undefined) continue
    const start = await findStart(id, dependsOn.get(id) ?? [], { ...where, results }, ports)
    if (start.status === 'start') ready.push(id)
  }
  return ready
}
