import { lintRoadmap, type RuleId, readRoadmap } from '../../../packages/roadmap/roadmap.ts'
import type { ProposedTask } from '../../../packages/task/task.ts'
import type { Settings } from '../../core/domain/settings.ts'

/** Rules about the words of a task, not about its neighbours. */
const ofTasks: ReadonlySet<RuleId> = new Set([
  'invalid-id',
  'duplicate-id',
  'unknown-dependency',
  'dependency-cycle',
  'invalid-path',
  'vague-task',
  'oversized-task',
  'hidden-text',
])

/** Lint's findings about the new tasks, as one sentence; `null` when they are clean. */
export function lintProposal(
  roadmap: string,
  proposed: readonly ProposedTask[],
  granularity: Settings['granularity'],
): string | null {
  const read = readRoadmap(roadmap, { granularity })
  const ids = new Set(proposed.map(({ id }) => id))
  const places = read.tasks.filter(({ id }) => ids.has(id))
  if (places.length < proposed.length) return 'it cannot be read as tasks of a roadmap'
  const findings = lintRoadmap(read, { text: roadmap, files: null, forecast: new Map() })
  const found = findings.find(
    ({ rule, line }) =>
      ofTasks.has(rule) && places.some((task) => line >= task.line && line <= task.endLine),
  )
  return found === undefined ? null : `${found.message} ${found.fix}`
}
