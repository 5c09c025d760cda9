import { changeState } from '../../core/domain/change-state.ts'
import type { Attempt, RunState } from '../../core/domain/run-state.ts'
import type { Ports } from '../../core/ports.ts'
import { loadRoadmap } from '../../roadmap/load-roadmap.ts'

/** The base branch where the roadmap has the task there; else what the attempt was stacked upon. */
export async function proposalBase(
  { task, start }: Attempt,
  state: RunState,
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<{ readonly branch: string; readonly sha: string }> {
  const roadmap = await loadRoadmap(changeState(state, { roadmap: { amendments: [] } }), ports)
  const isThere = roadmap?.tasks.some(
    ({ id, fingerprint }) => id === task.id && fingerprint === task.fingerprint,
  )
  return isThere ? state.roadmap.base : start
}
