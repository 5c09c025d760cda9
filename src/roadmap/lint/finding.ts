import type { RoadmapProblem } from '../../core/domain/task.ts'
import type { Forecast } from '../../model/budget/forecast.ts'
import type { RuleId } from './rules.ts'

/** Something to mend in a roadmap before money is spent. Line and column (UTF-16 units) are 1-based. */
export type LintFinding = Omit<RoadmapProblem, 'rule'> & { readonly rule: RuleId }

/** What a rule finds; its severity is the rule's own where none is given. */
export type RuleMatch = Omit<LintFinding, 'rule' | 'severity'> &
  Partial<Pick<LintFinding, 'severity'>>

/** What a roadmap is held against. */
export interface LintContext {
  /** The document the tasks were read from. */
  readonly text: string
  /** Bytes by path at the base commit; `null` outside a repository: then no path is judged. */
  readonly files: ReadonlyMap<string, number> | null
  /** By task id, for the open ones. */
  readonly forecast: ReadonlyMap<string, Forecast>
}
