import { ExecutorError } from '../../core/domain/errors.ts'
import type { ScheduledRuns } from '../../core/ports/discussion.ts'
import type { GitHubRepository } from './client.ts'
import { isRequestFailure } from './failure.ts'

/** This run and some before it; another workflow may have begun in between. */
const newest = 10

/**
 * When the schedule of our workflow started it; `null` where nobody may ask (`actions: read`), or where
 * this is not the first attempt: what begins late then is no fault of the schedule.
 */
export async function readScheduledRuns({
  octokit,
  target,
  workflowPath,
  runId,
}: GitHubRepository): Promise<ScheduledRuns | null> {
  if (workflowPath === null || runId === null) return null
  try {
    const { data } = await octokit.actions.listWorkflowRuns({
      ...target,
      workflow_id: workflowPath.split('/').at(-1) ?? '',
      event: 'schedule',
      per_page: newest,
    })
    const own = data.workflow_runs.find(({ id }) => String(id) === runId)
    if (own === undefined || (own.run_attempt ?? 1) > 1) return null
    const before = data.workflow_runs.find(({ id }) => id < own.id)
    return {
      workflow: workflowPath,
      began: own.created_at,
      previous: before === undefined ? null : { at: before.created_at, sha: before.head_sha },
    }
  } catch (error) {
    // Nice to know, and nothing more.
    if (isRequestFailure(error) || error instanceof ExecutorError) return null
    throw error
  }
}
