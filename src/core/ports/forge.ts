/** Author of what a workflow does with its default token; GitHub starts no workflow for that. */
export const actionsLogin = 'github-actions[bot]'

export interface PullRequest {
  readonly number: number
  readonly url: string
  /** Login of its author. */
  readonly author: string
  readonly head: string
  readonly headSha: string
  readonly base: string
  readonly state: 'open' | 'closed' | 'merged'
  /** For a merged one: its commit on the base; the last of several after a rebase. */
  readonly mergeSha: string | null
  readonly draft: boolean
  readonly title: string
  readonly body: string
  readonly labels: readonly string[]
}

export interface PullRequestDraft
  extends Pick<PullRequest, 'head' | 'base' | 'title' | 'body' | 'labels' | 'draft'> {
  readonly reviewers: readonly string[]
  readonly assignees: readonly string[]
  /** Leaves an open one of this head as it is: the run that opened it knows more about it. */
  readonly keepsOpen?: boolean
}

export interface ReviewCommentDraft {
  /** Unique per author; identifies the comment. */
  readonly marker: string
  /** The head commit whose diff has the line. */
  readonly sha: string
  readonly path: string
  /** 1-based, in the file at the head. */
  readonly line: number
  readonly body: string
}

export interface IssueDraft {
  /** Unique per author, over open and closed issues. */
  readonly marker: string
  readonly title: string
  readonly body: string
  readonly labels: readonly string[]
  /** The issue as this pass read it, by its first label; `null`: none. Looked up when not given. */
  readonly seen?: {
    readonly number: number
    readonly url: string
    readonly body: string
    readonly labels: readonly string[]
  } | null
}

export type ForgeRefusal = {
  readonly status: 'refused'
  /** A code of the error catalogue; the branch is pushed and nothing is lost. */
  readonly code: 'actions_may_not_create_pull_requests' | 'forge_denied' | 'forge_unreachable'
  readonly detail: string
}

export type ForgeResult<T> = { readonly status: 'ok'; readonly value: T } | ForgeRefusal

/** The combined result of a commit's statuses and check runs. */
export type Checks = 'green' | 'pending' | 'red' | 'none'

export type MergeResult =
  | { readonly status: 'merged'; readonly sha: string }
  /** Its base has a merge queue, which holds this commit now. */
  | { readonly status: 'queued' }
  /** The head is no longer the given commit. */
  | { readonly status: 'moved'; readonly headSha: string }
  /** A missing required review or check, a draft, a conflict, or a disallowed method. */
  | { readonly status: 'blocked'; readonly reason: string }
  | ForgeRefusal

export interface Forge {
  /** `local` has branches only: finished work is `done`, not `in_review`. */
  readonly kind: 'github' | 'local'
  /** Web address of the log of the workflow run that this program runs in, where it runs in one. */
  readonly runLog?: string
  /**
   * Our own, by head `agent/*` or `executor/recovery/*` in this very repository, in any state; newest first. `known`:
   * as last read, plus those published since; reads again after any other change to one.
   */
  pullRequests(how?: 'known'): Promise<readonly PullRequest[]>
  /** Reads it again; `null` when no pull request has this number. */
  pullRequest(number: number): Promise<PullRequest | null>
  /** Creates, or updates the open one with this head unless `keepsOpen`. A local forge returns `null`. */
  upsertPullRequest(draft: PullRequestDraft): Promise<ForgeResult<PullRequest | null>>
  /** One comment per marker and author, on a pull request or an issue. */
  upsertComment(number: number, marker: string, body: string): Promise<ForgeResult<null>>
  /** On a line of a pull request's diff. A line outside the diff is `forge_denied`. */
  upsertReviewComment(pullRequest: number, draft: ReviewCommentDraft): Promise<ForgeResult<null>>
  /**
   * Merges exactly this commit by a method that the repository allows (merge, else squash, else rebase). `blocked`
   * when `approver` pushed it and the base requires another person to approve the last push.
   */
  merge(pullRequest: number, sha: string, approver?: string): Promise<MergeResult>
  checks(sha: string): Promise<Checks>
  /** Closes an issue or a pull request. Does nothing to a closed one. */
  close(number: number): Promise<ForgeResult<null>>
  /** Changes the base of an open pull request. */
  retarget(pullRequest: number, base: string): Promise<ForgeResult<null>>
  /** Adds and removes labels of an issue or a pull request; keeps the others. */
  label(
    number: number,
    change: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
  ): Promise<ForgeResult<null>>
  /**
   * Creates or updates the issue with this marker: replaces a body that differs and adds missing labels. Keeps its
   * title and state as people left them.
   */
  upsertIssue(
    draft: IssueDraft,
  ): Promise<ForgeResult<{ readonly number: number; readonly url: string }>>
}
