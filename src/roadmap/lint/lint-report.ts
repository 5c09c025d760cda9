import type { Settings } from '../../core/domain/settings.ts'
import { isToDo, type Roadmap } from '../../core/domain/task.ts'
import type { PastTask } from '../../core/ports/store.ts'
import { forecastTasks } from '../../model/budget/forecast-tasks.ts'
import type { LintFinding } from './finding.ts'
import { lintRoadmap } from './lint-roadmap.ts'

/** What `executor lint --json` prints: these keys. */
export interface LintReport {
  readonly file: string
  readonly findings: readonly LintFinding[]
  readonly summary: { readonly errors: number; readonly warnings: number; readonly notes: number }
  readonly forecast: {
    /** The open tasks, as in the document. */
    readonly tasks: readonly {
      readonly id: string
      readonly title: string
      readonly tokens: number
      readonly dollars: number | null
    }[]
    readonly tokens: number
    /** `null` when a model has no known price. */
    readonly dollars: number | null
    /** The finished tasks that the forecast was learned from; 0: it is a guess. */
    readonly pastTasks: number
  }
}

/** A roadmap with the document it was read from, and what it is held against. */
export interface LintInput {
  readonly file: string
  /** With a box for each task that a sign tells (`withBoxes`). */
  readonly text: string
  readonly roadmap: Roadmap
  /** Bytes by path; `null` outside a repository. */
  readonly files: ReadonlyMap<string, number> | null
  readonly settings: Pick<Settings, 'model'>
  readonly past: readonly PastTask[]
}

/** Lints a roadmap and forecasts its open tasks. */
export function reportLint(input: LintInput): LintReport {
  const { file, text, roadmap, files, settings, past } = input
  const open = roadmap.tasks.filter(isToDo)
  const forecast = forecastTasks(open, files ?? new Map(), settings, past)
  const findings = lintRoadmap(roadmap, { text, files, forecast: forecast.byTask })
  const count = (severity: LintFinding['severity']) =>
    findings.filter((finding) => finding.severity === severity).length
  return {
    file,
    findings,
    summary: { errors: count('error'), warnings: count('warning'), notes: count('note') },
    forecast: {
      tasks: open.map(({ id, title }) => {
        const { tokens = 0, dollars = null } = forecast.byTask.get(id) ?? {}
        return { id, title, tokens, dollars }
      }),
      tokens: forecast.tokens,
      dollars: forecast.dollars,
      pastTasks: forecast.samples,
    },
  }
}

/** `1 error, 2 warnings, 0 notes`. */
export function describeFindings({ errors, warnings, notes }: LintReport['summary']): string {
  const counts = { error: errors, warning: warnings, note: notes }
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}${count === 1 ? '' : 's'}`)
    .join(', ')
}
