import type { GitHubRepository } from './client.ts'
import { hasStatus } from './failure.ts'

/** A variable of the repository; a workflow's own token may not read them. */
export async function readVariable(
  { octokit, target }: GitHubRepository,
  name: string,
): Promise<string | null> {
  try {
    return (await octokit.actions.getRepoVariable({ ...target, name })).data.value
  } catch (error) {
    if (hasStatus(error, 404) || hasStatus(error, 403)) return null
    throw error
  }
}
