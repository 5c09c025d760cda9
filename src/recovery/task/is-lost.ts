import type { Attempt } from '../../core/domain/attempt.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'

/**
 * True when the attempt's task failed for good: it failed, or a person turned it down. A task that is deferred, waits
 * for an answer or lacks something on this machine may still be done; so may one whose revision failed, since its work
 * stays.
 */
export function isLost(
  { task: { id }, feedback }: Pick<Attempt, 'task' | 'feedback'>,
  { tasks, record }: StateFacts<'tasks.results' | 'record.recoveries'>,
): boolean {
  const verdict = tasks.results[id]?.verdict
  const decision = record.recoveries.findLast(({ taskId }) => taskId === id)?.decision
  if (verdict === 'failed') return feedback === null && decision !== 'waiting'
  return verdict === 'rejected' || (verdict === 'skipped' && decision === 'rejected')
}
