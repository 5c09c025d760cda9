import type { Attempt, Proposal } from '../domain/run-state.ts'

/** What a person would do for these reasons, until the bot may rewrite the roadmap itself. */
const advice = {
  task_too_vague: 'The task should be rewritten with the files to change and a result to check.',
  task_too_complex: 'The task should be split into smaller ones.',
} as const

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
    return { strategy: 'DEFER', reason, explanation }
  }
  if (reason === 'environment_issue') return { strategy: 'SKIP', reason, explanation }
  const more =
    reason === 'task_too_vague' || reason === 'task_too_complex' ? ` ${advice[reason]}` : ''
  return { strategy: 'ESCALATE', reason, explanation: `${explanation}${more}` }
}
