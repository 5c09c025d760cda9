import type { GitHubRepository } from './client.ts'
import { hasStatus, isRequestFailure } from './failure.ts'

/** Whether a run of a workflow works yet; `unknown` where the token may not ask. */
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
