import { onceMore } from '../../core/perform-effect.ts'
import { askGraphql } from './client/graphql.ts'
import type { GitHubRepository } from './client.ts'
import { ForgeRefusal, hasStatus } from './failure.ts'

const read = `query pullRequest($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    autoMergeAllowed mergeCommitAllowed squashMergeAllowed rebaseMergeAllowed
    pullRequest(number: $number) {
      id state isDraft headRefOid
      autoMergeRequest { enabledAt }
    }
  }
}`

const enable = `mutation mergeWhenGreen(
  $id: ID!, $sha: GitObjectID!, $method: PullRequestMergeMethod!
) {
  enablePullRequestAutoMerge(
    input: { pullRequestId: $id, expectedHeadOid: $sha, mergeMethod: $method }
  ) {
    pullRequest { number }
  }
}`

interface Found {
  readonly repository: {
    readonly autoMergeAllowed: boolean
    readonly mergeCommitAllowed: boolean
    readonly squashMergeAllowed: boolean
    readonly rebaseMergeAllowed: boolean
    readonly pullRequest: {
      readonly id: string
      readonly state: 'OPEN' | 'CLOSED' | 'MERGED'
      readonly isDraft: boolean
      readonly headRefOid: string
      readonly autoMergeRequest: object | null
    }
  }
}

/** Switches auto-merge on for this head; `false` where it is off, or where there is nothing to wait for. */
export async function mergeWhenGreen(
  { ask, target, perform, log }: GitHubRepository,
  number: number,
  sha: string,
): Promise<boolean> {
  const look = async () => (await ask<Found>(read, { ...target, number })).repository
  const repository = await look()
  const { id, state, isDraft, autoMergeRequest } = repository.pullRequest
  const mustBeHead = ({ headRefOid }: Found['repository']['pullRequest']): void => {
    if (headRefOid === sha) return
    throw new ForgeRefusal('forge_denied', `the head of #${number} is ${headRefOid}, not ${sha}`)
  }
  mustBeHead(repository.pullRequest)
  if (!repository.autoMergeAllowed || isDraft || state !== 'OPEN') return false
  if (autoMergeRequest !== null) return true
  try {
    return await perform<Found['repository'], true>({
      kind: 'merge',
      key: `#${number} ${sha} when green`,
      detail: `let GitHub merge #${number} when its checks are green`,
      seen: repository,
      look,
      known({ pullRequest: now }) {
        const took = now.autoMergeRequest !== null || now.state === 'MERGED'
        return took && now.headRefOid === sha ? true : null
      },
      async act(octokit) {
        await askGraphql(octokit, enable, { id, sha, method: methodOf(repository) })
        return true
      },
      looks: onceMore,
    })
  } catch (error) {
    if (!hasStatus(error, 422)) throw error
    mustBeHead((await look()).pullRequest)
    // "Pull request is in clean status", "Protected branch rules not configured for this branch".
    log(`#${number} is not merged by GitHub itself: ${error.message}`)
    return false
  }
}

function methodOf(repository: Found['repository']): 'MERGE' | 'SQUASH' | 'REBASE' {
  if (repository.mergeCommitAllowed) return 'MERGE'
  return repository.squashMergeAllowed ? 'SQUASH' : 'REBASE'
}
