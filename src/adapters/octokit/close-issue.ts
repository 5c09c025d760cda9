import { onceMore } from '../../core/perform-effect.ts'
import type { GitHubRepository } from './client.ts'

/** Closes an issue or a pull request that is open. */
export async function closeIssue(
  { octokit, target, perform }: GitHubRepository,
  number: number,
): Promise<void> {
  const issue = { ...target, issue_number: number }
  await perform({
    kind: 'close',
    key: `#${number}`,
    detail: `close #${number}`,
    read: async () => (await octokit.issues.get(issue)).data,
    alreadyApplied: ({ state }) => (state === 'closed' ? true : null),
    async apply({ issues, pulls }, { pull_request }) {
      // A token that may change pull requests need not be one that may change issues.
      if (pull_request === undefined) await issues.update({ ...issue, state: 'closed' })
      else await pulls.update({ ...target, pull_number: number, state: 'closed' })
      return true
    },
    readDelays: onceMore,
  })
}
