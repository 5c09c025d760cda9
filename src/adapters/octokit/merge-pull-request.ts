import type { Forge, MergeResult } from '../../core/ports/forge.ts'
import { askGraphql } from './client/graphql.ts'
import type { GitHubRepository } from './client.ts'
import { hasStatus, orNull, type RequestFailure, wordsOf } from './failure.ts'
import { sameName } from './pull.ts'

type Method = 'merge' | 'squash' | 'rebase'
type Merged = Extract<MergeResult, { readonly status: 'merged' }>

const mostTries = 3

/** Merges exactly this commit; after an unclear response it checks before it repeats. */
export function createMerge(repository: GitHubRepository): Forge['merge'] {
  let allowed: readonly Method[] | undefined
  return async (pullRequest, sha, approver) => {
    const reason = approver && (await whyNotByPusher(repository, pullRequest, sha, approver))
    if (reason) return { status: 'blocked', reason }
    allowed ??= await allowedMethods(repository)
    for (let tries = 1; ; tries++) {
      const refused = await tryMethods(repository, pullRequest, sha, allowed)
      if (!(refused instanceof Error)) return refused
      const now = await lookAfterRefusal(repository, pullRequest, sha, refused)
      if (now !== 'again') {
        const isQueue = now.status === 'blocked' && /merge queue/i.test(now.reason)
        return isQueue ? enqueue(repository, pullRequest, sha) : now
      }
      if (tries === mostTries) return { status: 'blocked', reason: wordsOf(refused) }
      await repository.clock.sleep(tries)
    }
  }
}

/** In order of preference: a merge commit keeps stacked pull requests mergeable. */
async function allowedMethods({ octokit, target }: GitHubRepository): Promise<readonly Method[]> {
  const { data } = await octokit.repos.get(target)
  // GitHub reports these only to accounts with write access; others try each method.
  const methods: readonly [Method, boolean | undefined][] = [
    ['merge', data.allow_merge_commit],
    ['squash', data.allow_squash_merge],
    ['rebase', data.allow_rebase_merge],
  ]
  return methods.filter(([, isAllowed]) => isAllowed !== false).map(([method]) => method)
}

/** Tries the methods in order; returns GitHub's last refusal if none works. */
async function tryMethods(
  repository: GitHubRepository,
  pullRequest: number,
  sha: string,
  [method = 'merge', ...others]: readonly Method[],
): Promise<Merged | RequestFailure> {
  try {
    return await put(repository, pullRequest, sha, method)
  } catch (error) {
    if (!hasStatus(error, 405, 409)) throw error
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
    // GitHub merges a commit only once and says so, so no read is needed first.
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

/** Finds the reason for a 405 or 409 in the pull request, which is clearer than the message. */
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

interface Enqueued {
  readonly id: string
  readonly headRefOid: string
  readonly isInMergeQueue: boolean
}

const queued = { status: 'queued' } as const

const readQueued = `query queued($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) { id headRefOid isInMergeQueue }
  }
}`

const enqueueCommit = `mutation enqueue($id: ID!, $sha: GitObjectID!) {
  enqueuePullRequest(input: { pullRequestId: $id, expectedHeadOid: $sha }) {
    mergeQueueEntry { id }
  }
}`

/** Adds exactly this commit to the merge queue; otherwise returns GitHub's message. */
async function enqueue(
  { ask, target, perform }: GitHubRepository,
  number: number,
  sha: string,
): Promise<MergeResult> {
  const asked = { ...target, number }
  const read = async () =>
    (await ask<{ repository: { pullRequest: Enqueued } }>(readQueued, asked)).repository.pullRequest
  const snapshot = await read()
  try {
    return await perform<Enqueued, typeof queued>({
      ...{ kind: 'merge', key: `#${number} ${sha} in the queue`, snapshot, read },
      detail: `put #${number} into the merge queue`,
      alreadyApplied: (now) => (now.isInMergeQueue && now.headRefOid === sha ? queued : null),
      async apply(octokit) {
        await askGraphql(octokit, enqueueCommit, { id: snapshot.id, sha })
        return queued
      },
    })
  } catch (error) {
    if (!hasStatus(error, 422)) throw error
    return { status: 'blocked', reason: error.message }
  }
}

/**
 * Returns why this person's approval does not count, or `null`, as far as the token can see. GitHub
 * enforces this rule only for its own reviews, and not for accounts that may bypass rules.
 */
async function whyNotByPusher(
  repository: GitHubRepository,
  pullRequest: number,
  sha: string,
  approver: string,
): Promise<string | null> {
  const { octokit, target } = repository
  const found = await orNull(octokit.pulls.get({ ...target, pull_number: pullRequest }), 404)
  if (found === null) return null
  const { base, head } = found.data
  if (!(await wantsAnother(repository, base.ref))) return null
  const asked = { ...target, ref: `refs/heads/${head.ref}`, per_page: 100 }
  const pushes = await orNull(octokit.repos.listActivities(asked), 403, 404)
  const pusher = pushes?.data.find(({ after }) => after === sha)?.actor?.login
  return pusher !== undefined && sameName(pusher, approver)
    ? `${base.ref} requires someone other than ${approver}, who made the last push, to approve it.`
    : null
}

interface ProtectedRef {
  readonly branchProtectionRule: { readonly requireLastPushApproval: boolean } | null
}

async function wantsAnother(
  { octokit, target, ask }: GitHubRepository,
  branch: string,
): Promise<boolean> {
  const rules = await orNull(octokit.repos.getBranchRules({ ...target, branch }), 403, 404)
  const isRule = rules?.data.some(
    (rule) => rule.type === 'pull_request' && rule.parameters?.require_last_push_approval === true,
  )
  if (isRule === true) return true
  const query = `query lastPush($owner: String!, $repo: String!, $base: String!) {
    repository(owner: $owner, name: $repo) {
      ref(qualifiedName: $base) { branchProtectionRule { requireLastPushApproval } }
    }
  }`
  const asked = ask<{ repository: { ref: ProtectedRef | null } }>(query, {
    ...{ ...target, base: `refs/heads/${branch}` },
  })
  const found = await orNull(asked, 403, 404)
  return found?.repository.ref?.branchProtectionRule?.requireLastPushApproval === true
}
