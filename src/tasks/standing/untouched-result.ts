import type { Task } from '../../../packages/task/task.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import { isBefore } from '../../core/domain/instant.ts'
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

/** The result of a task that waits, with the cost of an attempt at it that this run deferred. */
export function waitingResult(
  task: Task,
  reason: string,
  { run, tasks }: StateFacts<'run.startedAt' | 'tasks.parked'>,
): TaskResult {
  const { startedAt, usage = noUsage, seconds = 0, number = 0 } = tasks.parked[task.id] ?? {}
  const isOurs = startedAt !== undefined && !isBefore(startedAt, run.startedAt)
  const cost = isOurs && { usage, seconds, attempts: number }
  return untouchedResult(task, { verdict: 'waiting', reason, thisRun: true, ...cost })
}
