import type { MergeResult } from '../../core/ports/forge.ts'
import type { GitHubRepository } from './client.ts'
import { enqueuePullRequest } from './enqueue.ts'
import { hasStatus, type RequestFailure } from './failure.ts'
import { whyNotByPusher } from './last-push.ts'
import { once } from './once.ts'

type Method = 'merge' | 'squash' | 'rebase'
type Merged = Extract<MergeResult, { readonly status: 'merged' }>

const mostTries = 3

/** Merges exactly this commit; an answer that says nothing is looked up, not repeated blindly. */
export type MergePullRequest = (
  pullRequest: number,
  sha: string,
  approver?: string,
) => Promise<MergeResult>

export function createMerge(repository: GitHubRepository): MergePullRequest {
  const allowed = once(() => allowedMethods(repository))
  return async (pullRequest, sha, approver) => {
    const reason = approver && (await whyNotByPusher(repository, pullRequest, sha, approver))
    if (reason) return { status: 'blocked', reason }
    for (let tries = 1; ; tries++) {
      const refused = await tryMethods(repository, pullRequest, sha, await allowed())
      if (!(refused instanceof Error)) return refused
      const now = await lookAfterRefusal(repository, pullRequest, sha, refused)
      if (now !== 'again') {
        const isQueue = now.status === 'blocked' && /merge queue/i.test(now.reason)
        return isQueue ? enqueuePullRequest(repository, pullRequest, sha) : now
      }
      if (tries === mostTries) return { status: 'blocked', reason: wordsOf(refused) }
      await repository.clock.sleep(tries)
    }
  }
}

/** In our order: a merge commit keeps what is stacked on it mergeable. */
async function allowedMethods({ octokit, target }: GitHubRepository): Promise<readonly Method[]> {
  const { data } = await octokit.repos.get(target)
  // Whoever may not write is not told; then each is tried.
  const methods: readonly [Method, boolean | undefined][] = [
    ['merge', data.allow_merge_commit],
    ['squash', data.allow_squash_merge],
    ['rebase', data.allow_rebase_merge],
  ]
  return methods.filter(([, isAllowed]) => isAllowed !== false).map(([method]) => method)
}

/** The first method that is taken; else the last refusal. What is no refusal is thrown. */
async function tryMethods(
  repository: GitHubRepository,
  pullRequest: number,
  sha: string,
  [method = 'merge', ...others]: readonly Method[],
): Promise<Merged | RequestFailure> {
  try {
    return await put(repository, pullRequest, sha, method)
  } catch (error) {
    if (!hasStatus(error, 405) && !hasStatus(error, 409)) throw error
    const isMethod = /(merges?|commits) are not allowed/i.test(error.message)
    if (!isMethod || others.length === 0) return error
    return tryMethods(repository, pullRequest, sha, others)
  }
}

function put(
  { octokit, target, perform }: GitHubRepository,
  pullRequest: number,
  sha: string,
  method: Method,
): Promise<Merged> {
  const pull = { ...target, pull_number: pullRequest }
  return perform<Merged | null, Merged>({
    kind: 'merge',
    key: `#${pullRequest} ${sha}`,
    detail: `${method} #${pullRequest}`,
    // GitHub merges a commit once, and says so: no look is needed before.
    snapshot: null,
    async read() {
      const { data } = await octokit.pulls.get(pull)
      const { merged_at, merge_commit_sha, head } = data
      const isIt = merged_at !== null && head.sha === sha && merge_commit_sha !== null
      return isIt ? { status: 'merged', sha: merge_commit_sha } : null
    },
    alreadyApplied: (merged) => merged,
    async apply({ pulls }) {
      const { data } = await pulls.merge({ ...pull, sha, merge_method: method })
      return { status: 'merged', sha: data.sha }
    },
    readDelays: [1, 2],
  })
}

/** 405 and 409 say that it was not merged now; why, the pull request tells better than the words. */
async function lookAfterRefusal(
  { octokit, target }: GitHubRepository,
  pullRequest: number,
  sha: string,
  refused: RequestFailure,
): Promise<MergeResult | 'again'> {
  const { data } = await octokit.pulls.get({ ...target, pull_number: pullRequest })
  if (data.head.sha !== sha) return { status: 'moved', headSha: data.head.sha }
  if (data.merged_at !== null) return { status: 'merged', sha: data.merge_commit_sha ?? '' }
  const baseMoved = /base branch was modified/i.test(refused.message)
  const undecided = data.state === 'open' && !data.draft && data.mergeable === null
  if (baseMoved || undecided) return 'again'
  return { status: 'blocked', reason: wordsOf(refused) }
}

/** GitHub's own words, without the address of the documentation. */
const wordsOf = ({ message }: Error): string => message.replace(/ - https?:\S+$/, '')
