import { openTree } from '../../packages/change/change.ts'
import { type LintFinding, lintRoadmap } from '../../packages/roadmap/roadmap.ts'
import { isToDo, type Roadmap } from '../../packages/task/task.ts'
import type { StateFacts, StatePatch } from '../core/domain/change-state.ts'
import type { RunPreview, RunState } from '../core/domain/run-state.ts'
import type { Settings } from '../core/domain/settings.ts'
import type { PastTask } from '../core/ports/store.ts'
import type { Ports } from '../core/ports.ts'
import { forecastTasks } from '../model/budget/forecast.ts'
import { loadOpenTasks, loadRoadmapText } from './load-roadmap.ts'
import { isLeft } from './standing/is-left.ts'

/** The document that `executor lint --json` prints. */
export type LintReport = ReturnType<typeof reportLint>

/** Lints a roadmap and forecasts its open tasks. */
export function reportLint(input: {
  readonly file: string
  /** The document with a box for each task that a sign marks (`withBoxes`). */
  readonly text: string
  readonly roadmap: Roadmap
  /** Bytes by path; `null` outside a repository. */
  readonly files: ReadonlyMap<string, number> | null
  readonly settings: Pick<Settings, 'model' | 'strategy'>
  readonly past: readonly PastTask[]
}) {
  const { file, text, roadmap, files, settings, past } = input
  const open = roadmap.tasks.filter(isToDo)
  const { byTask, tokens, dollars, samples } = forecastTasks(
    open,
    files ?? new Map(),
    settings,
    past,
  )
  const findings = lintRoadmap(roadmap, { text, files, forecast: byTask })
  const count = (severity: LintFinding['severity']) =>
    findings.filter((finding) => finding.severity === severity).length
  const tasks = open.map(({ id, title }) => {
    const { tokens = 0, dollars = null } = byTask.get(id) ?? {}
    return { id, title, tokens, dollars }
  })
  return {
    file,
    findings,
    summary: { errors: count('error'), warnings: count('warning'), notes: count('note') },
    // `dollars` is `null` when a model's price is unknown. With 0 past tasks, the forecast is a guess.
    forecast: { tasks, tokens, dollars, pastTasks: samples },
  }
}

/** `1 error, 2 warnings, 0 notes`. */
export function describeFindings({ errors, warnings, notes }: LintReport['summary']): string {
  const counts = { error: errors, warning: warnings, note: notes }
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}${count === 1 ? '' : 's'}`)
    .join(', ')
}

const isLikeTask: ReadonlySet<LintFinding['rule']> = new Set(['unread-box', 'left-out-task'])

/** Previews a run before it costs money: its tasks, their forecast, and the number of warnings in the roadmap. */
export async function previewRun(
  roadmap: Roadmap,
  state: Pick<RunState, 'roadmap'> & StateFacts<'run.only' | 'tasks.results'> & StatePatch,
  ports: Pick<Ports, 'workspace' | 'settings' | 'store'>,
): Promise<RunPreview> {
  const { workspace, settings, store } = ports
  const [{ order }, tree, past, text] = await Promise.all([
    loadOpenTasks(state, ports),
    openTree(state.roadmap.base.sha, workspace),
    store.pastTasks(),
    loadRoadmapText(state, ports),
  ])
  const files = new Map(tree.files.map(({ path, size }) => [path, size]))
  const left = order.filter(({ id }) => isLeft(state, id))
  const most = settings.limits.tasks === 0 ? left.length : settings.limits.tasks
  const tasks = left.slice(0, most)
  const forecast = forecastTasks(tasks, files, settings, past)
  const all = tasks.length === order.length ? forecast : forecastTasks(order, files, settings, past)
  const findings = lintRoadmap(roadmap, { text, files, forecast: all.byTask })
  const likeTasks = findings.filter(({ rule }) => isLikeTask.has(rule)).length
  return {
    tasks: tasks.length,
    tokens: forecast.tokens,
    dollars: forecast.dollars,
    pastTasks: forecast.samples,
    warnings: findings.filter(({ severity }) => severity === 'warning').length,
    ...(likeTasks > 0 && { likeTasks }),
  }
}
