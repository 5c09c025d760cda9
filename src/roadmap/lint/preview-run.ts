import type { StateFacts, StatePatch } from '../../core/domain/change-state.ts'
import type { RunPreview, RunState } from '../../core/domain/run-state.ts'
import type { Roadmap } from '../../core/domain/task.ts'
import type { Ports } from '../../core/ports.ts'
import { forecastTasks } from '../../model/budget/forecast.ts'
import { loadOpenTasks, loadRoadmapText } from '../load-roadmap.ts'
import { isLeft } from '../standing/is-left.ts'
import { lintRoadmap } from './lint-roadmap.ts'

/**
 * What a run is about to do, before money is spent: the tasks it will come to, their forecast, and how many warnings
 * the roadmap has.
 */
export async function previewRun(
  roadmap: Roadmap,
  state: Pick<RunState, 'roadmap'> & StateFacts<'run.only' | 'tasks.results'> & StatePatch,
  ports: Pick<Ports, 'workspace' | 'settings' | 'store'>,
): Promise<RunPreview> {
  const { workspace, settings, store } = ports
  const [{ order }, listed, past, text] = await Promise.all([
    loadOpenTasks(state, ports),
    workspace.listFiles(state.roadmap.base.sha),
    store.pastTasks(),
    loadRoadmapText(state, ports),
  ])
  const files = new Map(listed.map(({ path, size }) => [path, size]))
  const left = order.filter(({ id }) => isLeft(state, id))
  const most = settings.limits.tasks === 0 ? left.length : settings.limits.tasks
  const tasks = left.slice(0, most)
  const forecast = forecastTasks(tasks, files, settings, past)
  const all = tasks.length === order.length ? forecast : forecastTasks(order, files, settings, past)
  const findings = lintRoadmap(roadmap, { text, files, forecast: all.byTask })
  return {
    tasks: tasks.length,
    tokens: forecast.tokens,
    dollars: forecast.dollars,
    pastTasks: forecast.samples,
    warnings: findings.filter(({ severity }) => severity === 'warning').length,
  }
}
