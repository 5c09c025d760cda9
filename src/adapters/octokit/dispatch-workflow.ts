import type { GitHubRepository } from './client.ts'
import { ForgeRefusal, hasStatus } from './failure.ts'
import { untilListed, writeOnce } from './write-once.ts'

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
  const { octokit, target, clock } = repository
  const place = { ...target, workflow_id: workflow }
  const write = async (): Promise<true> => {
    await octokit.actions.createWorkflowDispatch({ ...place, ref, inputs: { ...inputs } })
    return true
  }
  const find = async (): Promise<true | null> => {
    const { data } = await octokit.actions.listWorkflowRuns({
      ...place,
      event: 'workflow_dispatch',
      per_page: 5,
    })
    const begun = data.workflow_runs.some((run) => Date.parse(run.created_at) >= Date.parse(since))
    return begun ? true : null
  }
  try {
    await writeOnce({ write, find, looks: untilListed }, clock)
  } catch (error) {
    throw explain(error, workflow) ?? error
  }
}

function explain(error: unknown, workflow: string): ForgeRefusal | null {
  const say = (detail: string) => new ForgeRefusal('forge_denied', detail, { cause: error })
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
