import type { Attempt, FailureReason, Proposal, Strategy } from '../../core/domain/run-state.ts'
import { depthOf } from '../../roadmap/document/replace-task.ts'

/** What a person would do for these reasons, where the bot may not or cannot. */
const advice = {
  REWRITE: 'The task should be rewritten with the files to change and a result to check.',
  DECOMPOSE: 'The task should be split into smaller ones.',
} as const

/** New tasks may be replaced themselves, and those no more. */
const deepest = 2

/**
 * The strategy for a classified failure. A task is deferred once; whatever only a person can
 * mend escalates and says what should be done.
 *
 * @param retried ids of deferred tasks that had their second chance
 */
export function chooseStrategy(attempt: Attempt, retried: readonly string[]): Proposal {
  const { task, classification, failure } = attempt
  const reason = classification?.reason ?? 'unknown'
  const explanation = classification?.explanation ?? failure?.message ?? 'It failed.'
  if (reason === 'missing_dependency' && !retried.includes(task.id)) {
    return { strategy: 'DEFER', reason, explanation, tasks: [] }
  }
  const strategy = strategies[reason]
  if ((strategy === 'REWRITE' || strategy === 'DECOMPOSE') && depthOf(task) >= deepest) {
    return escalation({ strategy, reason, explanation, tasks: [] })
  }
  return { strategy, reason, explanation, tasks: [] }
}

const strategies = {
  task_too_vague: 'REWRITE',
  task_too_complex: 'DECOMPOSE',
  missing_dependency: 'ESCALATE',
  environment_issue: 'SKIP',
  unknown: 'ESCALATE',
} as const satisfies Record<FailureReason, Strategy>

/** The same for a person to decide, with what they should do. */
export function escalation({ strategy, reason, explanation }: Proposal): Proposal {
  const more = strategy === 'REWRITE' || strategy === 'DECOMPOSE' ? ` ${advice[strategy]}` : ''
  return { strategy: 'ESCALATE', reason, explanation: `${explanation}${more}`, tasks: [] }
}
