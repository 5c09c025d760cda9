import type { Forge, PullRequest, PullRequestDraft } from '../core/ports/forge.ts'
import type { GitHubRepository } from './octokit/client.ts'
import { answersOf } from './octokit/failure.ts'
import { createMerge } from './octokit/merge-pull-request.ts'
import { changeLabels, listPullRequests, readPullRequest } from './octokit/pull.ts'
import { readChecks } from './octokit/read-checks.ts'
import { upsertComment, upsertIssue, upsertReviewComment } from './octokit/upsert-marked.ts'
import { upsertPullRequest } from './octokit/upsert-pull-request.ts'

/**
 * GitHub through REST, and GraphQL where REST has no equivalent. Repeats reads when that may help;
 * checks the result of a failed write before it repeats the write.
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
    close: (number) => done(changing(close(repository, number))),
    retarget: (number, base) => done(changing(retarget(repository, number, base))),
    label: (number, change) => done(changing(changeLabels(repository, number, change))),
    upsertIssue: (draft) => asResult(upsertIssue(repository, draft)),
  }
}

/** Closes an issue or a pull request. */
function close({ octokit, target, perform }: GitHubRepository, number: number): Promise<true> {
  const issue = { ...target, issue_number: number }
  return perform<{ readonly state: string; readonly pull_request?: object }, true>({
    ...{ kind: 'close', key: `#${number}`, detail: `close #${number}` },
    read: async () => (await octokit.issues.get(issue)).data,
    alreadyApplied: ({ state }) => (state === 'closed' ? true : null),
    async apply({ issues, pulls }, { pull_request }) {
      // A token that may change pull requests may still not change issues.
      if (pull_request === undefined) await issues.update({ ...issue, state: 'closed' })
      else await pulls.update({ ...target, pull_number: number, state: 'closed' })
      return true
    },
  })
}

/** GitHub refuses to change the base of a closed pull request. */
function retarget(
  { octokit, target, perform }: GitHubRepository,
  number: number,
  base: string,
): Promise<string> {
  const pull = { ...target, pull_number: number }
  return perform({
    kind: 'retarget',
    key: `#${number} → ${base}`,
    detail: `#${number} is to go into ${base}`,
    read: async () => (await octokit.pulls.get(pull)).data.base.ref,
    alreadyApplied: (now) => (now === base ? base : null),
    apply: async ({ pulls }) => (await pulls.update({ ...pull, base })).data.base.ref,
  })
}
