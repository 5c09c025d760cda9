import type { Task } from '../../../packages/task/task.ts'
import { noUsage } from '../../core/domain/usage.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'

/** The result of a task that this run did not work on. */
export function untouchedResult(
  task: Pick<Task, 'id' | 'title' | 'fingerprint'>,
  facts: Pick<TaskResult, 'verdict' | 'reason'> & Partial<TaskResult>,
): TaskResult {
  return {
    id: task.id,
    title: task.title,
    fingerprint: task.fingerprint,
    branch: null,
    sha: null,
    start: null,
    pullRequest: null,
    attempts: 0,
    repairs: 0,
    usage: noUsage,
    seconds: 0,
    receipt: null,
    forecastTokens: null,
    thisRun: false,
    ...facts,
  }
}
