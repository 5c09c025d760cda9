import type { GitHubRepository } from './client.ts'
import { orNull } from './failure.ts'

/** A variable of the repository; a workflow's own token may not read them. */
export async function readVariable(
  { octokit, target }: GitHubRepository,
  name: string,
): Promise<string | null> {
  const found = await orNull(octokit.actions.getRepoVariable({ ...target, name }), 403, 404)
  return found?.data.value ?? null
}
