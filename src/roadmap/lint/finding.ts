import type { RoadmapProblem } from '../../core/domain/task.ts'
import type { Forecast } from '../../model/budget/forecast-task.ts'
import type { RuleId } from './rules.ts'

/** Something to mend in a roadmap before money is spent. Line and column are 1-based. */
export interface LintFinding {
  readonly rule: RuleId
  /** An `error` refuses the run, a `warning` is worth a look, a `note` may be as it is meant. */
  readonly severity: RoadmapProblem['severity']
  readonly line: number
  /** In UTF-16 units. */
  readonly column: number
  readonly message: string
  readonly fix: string
}

/** What a roadmap is held against. */
export interface LintContext {
  /** The document the tasks were read from. */
  readonly text: string
  /** Bytes by path at the base commit; `null` outside a repository: then no path is judged. */
  readonly files: ReadonlyMap<string, number> | null
  /** By task id, for the open ones. */
  readonly forecast: ReadonlyMap<string, Forecast>
}
