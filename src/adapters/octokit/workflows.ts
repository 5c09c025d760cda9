/** GitHub Actions workflows: our own, and those that the App starts. */
import { ExecutorError } from '../../core/domain/errors.ts'
import { untilListed } from '../../core/perform-effect.ts'
import type { ScheduledRuns } from '../../core/ports/discussion.ts'
import type { GitHubRepository } from './client.ts'
import { ForgeRefusedError, hasStatus, isRequestFailure } from './failure.ts'

export interface Dispatch {
  /** A file name in `.github/workflows`. */
  readonly workflow: string
  /** The branch that contains the workflow. */
  readonly ref: string
  readonly inputs: Readonly<Record<string, string>>
  /** GitHub's time before the request; a run that started since then is ours. */
  readonly since: string
}

/**
 * Starts a workflow by `workflow_dispatch`. If the result is unknown, any run since then counts: it
 * sees the same state.
 * @throws ForgeRefusal `forge_denied` with the fix: no such workflow, or no dispatch trigger
 */
export async function dispatchWorkflow(
  repository: GitHubRepository,
  { workflow, ref, inputs, since }: Dispatch,
): Promise<void> {
  const { octokit, target, perform } = repository
  const place = { ...target, workflow_id: workflow }
  const newest = { ...place, event: 'workflow_dispatch', per_page: 5 }
  try {
    await perform<boolean, true>({
      kind: 'dispatch',
      key: `${workflow} since ${since}`,
      detail: `start ${workflow} on ${ref}`,
      // `since` is the current time: nothing has started yet.
      snapshot: false,
      async read() {
        const { data } = await octokit.actions.listWorkflowRuns(newest)
        return data.workflow_runs.some((run) => Date.parse(run.created_at) >= Date.parse(since))
      },
      alreadyApplied: (begun) => begun || null,
      async apply({ actions }) {
        await actions.createWorkflowDispatch({ ...place, ref, inputs: { ...inputs } })
        return true
      },
      readDelays: untilListed,
    })
  } catch (error) {
    const detail = whyNotStarted(error, `.github/workflows/${workflow}`)
    throw detail === null ? error : new ForgeRefusedError('forge_denied', detail, { cause: error })
  }
}

const refusals: readonly (readonly [RegExp, string])[] = [
  [/workflow_dispatch/, 'cannot be started: it lacks "workflow_dispatch:" under "on:"'],
  [
    /unexpected inputs/i,
    'does not know the input "task": add it under "workflow_dispatch: inputs:"',
  ],
  [/disabled/i, 'is disabled: enable it under Actions'],
]

function whyNotStarted(error: unknown, file: string): string | null {
  if (hasStatus(error, 404)) {
    return `there is no ${file} on the default branch, or Actions are disabled. executor init writes one`
  }
  if (!hasStatus(error, 422)) return null
  const found = refusals.find(([words]) => words.test(error.message))
  return found === undefined ? null : `${file} ${found[1]}`
}

/** Asks whether a workflow run is still working; `unknown` without permission. */
export async function askRunLiveness(
  { octokit, target }: GitHubRepository,
  run: string,
): Promise<'alive' | 'dead' | 'unknown'> {
  try {
    const { data } = await octokit.actions.getWorkflowRun({ ...target, run_id: Number(run) })
    return data.status === 'completed' ? 'dead' : 'alive'
  } catch (error) {
    if (!isRequestFailure(error)) throw error
    return hasStatus(error, 404) ? 'dead' : 'unknown'
  }
}

/** This run and some before it; other runs may have started in between. */
const newestRuns = 10

/**
 * When the schedule started this workflow; `null` without permission (`actions: read`), and in a
 * later attempt, whose delay is not the schedule's.
 */
export async function readScheduledRuns({
  octokit,
  target,
  workflowPath,
  runId,
}: GitHubRepository): Promise<ScheduledRuns | null> {
  if (workflowPath === null || runId === null) return null
  try {
    const workflow_id = workflowPath.split('/').at(-1) ?? ''
    const asked = { ...target, workflow_id, event: 'schedule', per_page: newestRuns }
    const { workflow_runs: runs } = (await octokit.actions.listWorkflowRuns(asked)).data
    const own = runs.find(({ id }) => String(id) === runId)
    if (own === undefined || (own.run_attempt ?? 1) > 1) return null
    const before = runs.find(({ id }) => id < own.id)
    const previous = before === undefined ? null : { at: before.created_at, sha: before.head_sha }
    return { workflow: workflowPath, began: own.created_at, previous }
  } catch (error) {
    // Optional information.
    if (isRequestFailure(error) || error instanceof ExecutorError) return null
    throw error
  }
}
