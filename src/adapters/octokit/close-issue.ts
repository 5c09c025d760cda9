import type { GitHubRepository } from './client.ts'
import { writeOnce } from './write-once.ts'

/** Closes an issue or a pull request that is open. */
export async function closeIssue(
  { octokit, target, clock }: GitHubRepository,
  number: number,
): Promise<void> {
  const issue = { ...target, issue_number: number }
  const look = async () => (await octokit.issues.get(issue)).data
  const { state, pull_request } = await look()
  if (state === 'closed') return
  await writeOnce<unknown>(
    {
      // A token that may change pull requests need not be one that may change issues.
      write: () =>
        pull_request === undefined
          ? octokit.issues.update({ ...issue, state: 'closed' })
          : octokit.pulls.update({ ...target, pull_number: number, state: 'closed' }),
      find: async () => ((await look()).state === 'closed' ? true : null),
      looks: [1],
    },
    clock,
  )
}
