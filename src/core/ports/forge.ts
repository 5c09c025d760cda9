export interface PullRequest {
  readonly number: number
  readonly url: string
  /** Login of who opened it. */
  readonly author: string
  readonly head: string
  readonly headSha: string
  readonly base: string
  readonly state: 'open' | 'closed' | 'merged'
  /** Of a merged one: the commit it became on its base; the last of several when it was rebased. */
  readonly mergeSha: string | null
  readonly draft: boolean
  readonly title: string
  readonly body: string
  readonly labels: readonly string[]
}

export interface PullRequestDraft {
  readonly head: string
  readonly base: string
  readonly title: string
  readonly body: string
  readonly labels: readonly string[]
  readonly draft: boolean
  readonly reviewers: readonly string[]
  readonly assignees: readonly string[]
}

export interface ReviewCommentDraft {
  /** One per marker and author, found again by them. */
  readonly marker: string
  /** The head commit whose diff has the line. */
  readonly sha: string
  readonly path: string
  /** 1-based, in the file as the head has it. */
  readonly line: number
  readonly body: string
}

export interface IssueDraft {
  /** One issue per marker and author, open or closed. */
  readonly marker: string
  readonly title: string
  readonly body: string
  readonly labels: readonly string[]
  /** What this pass has seen of it, by its first label; `null`: none. It is looked for where nothing is given. */
  readonly seen?: {
    readonly number: number
    readonly url: string
    readonly body: string
    readonly labels: readonly string[]
  } | null
}

export type ForgeRefusal = {
  readonly status: 'refused'
  /** One of the error catalogue's; the branch is pushed and nothing is lost. */
  readonly code: 'actions_may_not_create_pull_requests' | 'forge_denied' | 'forge_unreachable'
  readonly detail: string
}

export type ForgeResult<T> = { readonly status: 'ok'; readonly value: T } | ForgeRefusal

/** Whether what the repository checks of a commit is good: statuses and check runs together. */
export type Checks = 'green' | 'pending' | 'red' | 'none'

export type MergeResult =
  | { readonly status: 'merged'; readonly sha: string }
  /** Its base has a merge queue, which has this commit now. */
  | { readonly status: 'queued' }
  /** The head is not the commit that was named any more. */
  | { readonly status: 'moved'; readonly headSha: string }
  /** A required review or check is missing, a draft, a conflict, or a method that is not allowed. */
  | { readonly status: 'blocked'; readonly reason: string }
  | ForgeRefusal

export interface Forge {
  /** `local` has branches only: finished work is `done`, not `in_review`. */
  readonly kind: 'github' | 'local'
  /**
   * Ours, by head `agent/*` or `executor/recovery/*` in this very repository, in any state; newest first.
   * `known`: as they were read last, with those that were published since; read anew where anything
   * else was done to one.
   */
  pullRequests(how?: 'known'): Promise<readonly PullRequest[]>
  /** As it is now, read anew; `null` when there is none of this number. */
  pullRequest(number: number): Promise<PullRequest | null>
  /** Creates, or updates the open one with this head. A local forge answers `null`. */
  upsertPullRequest(draft: PullRequestDraft): Promise<ForgeResult<PullRequest | null>>
  /** One comment per marker, found by marker and author, on a pull request or an issue. */
  upsertComment(number: number, marker: string, body: string): Promise<ForgeResult<null>>
  /** On a line of a pull request's diff. A line outside the diff is `forge_denied`. */
  upsertReviewComment(pullRequest: number, draft: ReviewCommentDraft): Promise<ForgeResult<null>>
  /**
   * Merges exactly this commit by a method the repository allows (merge, else squash, else rebase).
   * `blocked` where `approver` pushed it and the base wants somebody else to approve the last push.
   */
  merge(pullRequest: number, sha: string, approver?: string): Promise<MergeResult>
  checks(sha: string): Promise<Checks>
  /** Closes an issue or a pull request. Nothing happens to one that is closed. */
  close(number: number): Promise<ForgeResult<null>>
  /** Gives an open pull request another base. */
  retarget(pullRequest: number, base: string): Promise<ForgeResult<null>>
  /** Adds and takes away labels of an issue or a pull request; others stay. */
  label(
    number: number,
    change: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
  ): Promise<ForgeResult<null>>
  /**
   * The issue of this marker, made when there is none; its body replaced where it differs, and labels
   * it lacks put on it. Its title and its state are left as people have them.
   */
  upsertIssue(
    draft: IssueDraft,
  ): Promise<ForgeResult<{ readonly number: number; readonly url: string }>>
}
