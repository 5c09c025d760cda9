import type { Forge, PullRequest } from '../core/ports/forge.ts'
import { answersOf } from './octokit/answers-of.ts'
import { changeLabels } from './octokit/change-labels.ts'
import type { GitHubRepository } from './octokit/client.ts'
import { closeIssue } from './octokit/close-issue.ts'
import { hasStatus } from './octokit/failure.ts'
import { listPullRequests } from './octokit/list-pull-requests.ts'
import { createMerge } from './octokit/merge-pull-request.ts'
import { mergeWhenGreen } from './octokit/merge-when-green.ts'
import { toPullRequest } from './octokit/pull.ts'
import { readChecks } from './octokit/read-checks.ts'
import { retarget } from './octokit/retarget.ts'
import { upsertComment } from './octokit/upsert-comment.ts'
import { upsertIssue } from './octokit/upsert-issue.ts'
import { upsertPullRequest } from './octokit/upsert-pull-request.ts'
import { upsertReviewComment } from './octokit/upsert-review-comment.ts'

/**
 * GitHub by its REST API, and by GraphQL where REST has no words for it. Reads are repeated where
 * that may help; every write is looked up before it is tried again.
 */
export function createOctokitForge(repository: GitHubRepository): Forge {
  const { orRefusal, asResult, done, orThrow } = answersOf(repository)
  const merge = createMerge(repository)
  return {
    kind: 'github',
    pullRequests: () => orThrow(listPullRequests(repository)),
    pullRequest: (number) => orThrow(readPullRequest(repository, number)),
    upsertPullRequest: (draft) => asResult(upsertPullRequest(repository, draft)),
    upsertComment: (number, marker, body) => done(upsertComment(repository, number, marker, body)),
    upsertReviewComment: (number, draft) => done(upsertReviewComment(repository, number, draft)),
    merge: (number, sha) => orRefusal(merge(number, sha)),
    mergeWhenGreen: (number, sha) => asResult(mergeWhenGreen(repository, number, sha)),
    checks: (sha) => orThrow(readChecks(repository, sha)),
    close: (number) => done(closeIssue(repository, number)),
    retarget: (number, base) => done(retarget(repository, number, base)),
    label: (number, change) => done(changeLabels(repository, number, change)),
    upsertIssue: (draft) => asResult(upsertIssue(repository, draft)),
  }
}

async function readPullRequest(
  { octokit, target }: GitHubRepository,
  number: number,
): Promise<PullRequest | null> {
  try {
    return toPullRequest((await octokit.pulls.get({ ...target, pull_number: number })).data)
  } catch (error) {
    if (hasStatus(error, 404)) return null
    throw error
  }
}
