import type { Forge, PullRequest, PullRequestDraft } from '../core/ports/forge.ts'
import { answersOf } from './octokit/answers-of.ts'
import { changeLabels } from './octokit/change-labels.ts'
import type { GitHubRepository } from './octokit/client.ts'
import { closeIssue } from './octokit/close-issue.ts'
import { orNull } from './octokit/failure.ts'
import { listPullRequests } from './octokit/list-pull-requests.ts'
import { createMerge } from './octokit/merge-pull-request.ts'
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
  let known: readonly PullRequest[] | null = null
  const changing = <T>(work: Promise<T>): Promise<T> => {
    known = null
    return work
  }
  async function publish(draft: PullRequestDraft): Promise<PullRequest> {
    const before = known
    const published = await changing(upsertPullRequest(repository, draft))
    const others = before?.filter(({ number }) => number !== published.number)
    known = others ? [published, ...others].sort((a, b) => b.number - a.number) : null
    return published
  }
  return {
    kind: 'github',
    async pullRequests(how) {
      if (how !== 'known') known = null
      known ??= await orThrow(listPullRequests(repository))
      return known
    },
    pullRequest: (number) => orThrow(readPullRequest(repository, number)),
    upsertPullRequest: (draft) => asResult(publish(draft)),
    upsertComment: (number, marker, body) => done(upsertComment(repository, number, marker, body)),
    upsertReviewComment: (number, draft) => done(upsertReviewComment(repository, number, draft)),
    merge: (number, sha, by) => changing(orRefusal(merge(number, sha, by))),
    checks: (sha) => orThrow(readChecks(repository, sha)),
    close: (number) => done(changing(closeIssue(repository, number))),
    retarget: (number, base) => done(changing(retarget(repository, number, base))),
    label: (number, change) => done(changing(changeLabels(repository, number, change))),
    upsertIssue: (draft) => asResult(upsertIssue(repository, draft)),
  }
}

async function readPullRequest(
  { octokit, target }: GitHubRepository,
  number: number,
): Promise<PullRequest | null> {
  const found = await orNull(octokit.pulls.get({ ...target, pull_number: number }), 404)
  return found && toPullRequest(found.data)
}
