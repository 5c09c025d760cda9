import { onceMore } from '../../core/perform-effect.ts'
import { askGraphql } from './client/graphql.ts'
import type { GitHubRepository } from './client.ts'
import { hasStatus } from './failure.ts'

const read = `query queued($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) { id headRefOid isInMergeQueue }
  }
}`

const enqueue = `mutation enqueue($id: ID!, $sha: GitObjectID!) {
  enqueuePullRequest(input: { pullRequestId: $id, expectedHeadOid: $sha }) {
    mergeQueueEntry { id }
  }
}`

interface Found {
  readonly repository: {
    readonly pullRequest: {
      readonly id: string
      readonly headRefOid: string
      readonly isInMergeQueue: boolean
    }
  }
}

/** Puts exactly this commit into the merge queue; GitHub's words where it will not have it. */
export async function enqueuePullRequest(
  { ask, target, perform }: GitHubRepository,
  number: number,
  sha: string,
): Promise<
  { readonly status: 'queued' } | { readonly status: 'blocked'; readonly reason: string }
> {
  const look = async () => (await ask<Found>(read, { ...target, number })).repository.pullRequest
  const seen = await look()
  try {
    return await perform<typeof seen, { readonly status: 'queued' }>({
      ...{
        kind: 'merge',
        key: `#${number} ${sha} in the queue`,
        snapshot: seen,
        read: look,
        readDelays: onceMore,
      },
      detail: `put #${number} into the merge queue`,
      alreadyApplied: (now) =>
        now.isInMergeQueue && now.headRefOid === sha ? { status: 'queued' } : null,
      async apply(octokit) {
        await askGraphql(octokit, enqueue, { id: seen.id, sha })
        return { status: 'queued' }
      },
    })
  } catch (error) {
    if (!hasStatus(error, 422)) throw error
    return { status: 'blocked', reason: error.message }
  }
}
