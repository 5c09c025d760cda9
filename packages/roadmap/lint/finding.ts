import type { RoadmapProblem, TaskBudget } from '../../task/task.ts'
import type { RuleId } from './rules.ts'

/** A problem to fix in a roadmap before a run costs money. Line and column (UTF-16 units) are 1-based. */
export type LintFinding = Omit<RoadmapProblem, 'rule'> & { readonly rule: RuleId }

/** A finding of one rule; without a severity of its own, it gets the rule's. */
export type RuleMatch = Omit<LintFinding, 'rule' | 'severity'> &
  Partial<Pick<LintFinding, 'severity'>>

/** The facts that the rules check a roadmap against. */
export interface LintContext {
  /** The document the tasks were read from. */
  readonly text: string
  /** Bytes by path at the base commit; `null` outside a repository, where paths are not checked. */
  readonly files: ReadonlyMap<string, number> | null
  /** What each open task will probably take, by its id; dollars are `null` where no price is known. */
  readonly forecast: ReadonlyMap<string, TaskBudget>
}
