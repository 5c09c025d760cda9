import type { GitHubRepository } from './client.ts'
import { writeOnce } from './write-once.ts'

/** Gives an open pull request another base; GitHub refuses it for a closed one. */
export async function retarget(
  { octokit, target, clock }: GitHubRepository,
  number: number,
  base: string,
): Promise<void> {
  const pull = { ...target, pull_number: number }
  const hasBase = async () => ((await octokit.pulls.get(pull)).data.base.ref === base ? true : null)
  if (await hasBase()) return
  await writeOnce<unknown>(
    { write: () => octokit.pulls.update({ ...pull, base }), find: hasBase, looks: [1] },
    clock,
  )
}
