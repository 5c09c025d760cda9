import type { Settings } from '../../core/domain/settings.ts'
import { isToDo, type Roadmap } from '../../core/domain/task.ts'
import type { PastTask } from '../../core/ports/store.ts'
import { forecastTasks } from '../../model/budget/forecast.ts'
import type { LintFinding } from './finding.ts'
import { lintRoadmap } from './lint-roadmap.ts'

/** What `executor lint --json` prints: these keys. */
export type LintReport = ReturnType<typeof reportLint>

/** Lints a roadmap and forecasts its open tasks. */
export function reportLint({
  file,
  text,
  roadmap,
  files,
  settings,
  past,
}: {
  readonly file: string
  /** The document it was read from, with a box for each task that a sign tells (`withBoxes`). */
  readonly text: string
  readonly roadmap: Roadmap
  /** Bytes by path; `null` outside a repository. */
  readonly files: ReadonlyMap<string, number> | null
  readonly settings: Pick<Settings, 'model'>
  readonly past: readonly PastTask[]
}) {
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
  // In the order of the document.
  const tasks = open.map(({ id, title }) => {
    const { tokens = 0, dollars = null } = byTask.get(id) ?? {}
    return { id, title, tokens, dollars }
  })
  return {
    file,
    findings,
    summary: { errors: count('error'), warnings: count('warning'), notes: count('note') },
    // `dollars` is `null` when a model has no known price; no past tasks: it is a guess.
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
