import { untilListed } from '../../core/perform-effect.ts'
import type { GitHubRepository } from './client.ts'
import { ForgeRefusedError, hasStatus } from './failure.ts'

export interface Dispatch {
  /** A file's name in `.github/workflows`. */
  readonly workflow: string
  /** The branch whose workflow it is. */
  readonly ref: string
  readonly inputs: Readonly<Record<string, string>>
  /** GitHub's time before; a run begun since then was started by this. */
  readonly since: string
}

/**
 * Starts a workflow by `workflow_dispatch`. Where no answer says whether it was started, one that
 * began since then is looked for: somebody else's serves as well, it sees what ours would.
 *
 * @throws ForgeRefusal `forge_denied` with what to do: no such workflow, or one that takes no dispatch.
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
      // That was asked just now: nothing has begun since.
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
    throw explain(error, workflow) ?? error
  }
}

function explain(error: unknown, workflow: string): ForgeRefusedError | null {
  const say = (detail: string) => new ForgeRefusedError('forge_denied', detail, { cause: error })
  const file = `.github/workflows/${workflow}`
  if (hasStatus(error, 404)) {
    return say(
      `there is no ${file} on the default branch, or Actions are off. executor init writes one`,
    )
  }
  if (!hasStatus(error, 422)) return null
  if (/workflow_dispatch/.test(error.message)) {
    return say(`${file} cannot be started: it lacks "workflow_dispatch:" under "on:"`)
  }
  if (/unexpected inputs/i.test(error.message)) {
    return say(`${file} does not know the input "task": add it under "workflow_dispatch: inputs:"`)
  }
  if (/disabled/i.test(error.message)) return say(`${file} is disabled: enable it under Actions`)
  return null
}
