import type { ForgeResult } from './forge.ts'

export interface Author {
  /** GitHub's number; logins change, this does not. */
  readonly id: number
  readonly login: string
  readonly isBot: boolean
}

/** Which remark: in a conversation, on a line of a diff, or a review as a whole. */
export interface RemarkRef {
  readonly kind: 'comment' | 'review_comment' | 'review'
  readonly id: number
  /** The issue or pull request it is on. */
  readonly on: number
}

/** Something that somebody said on an issue or a pull request. */
export interface Remark extends RemarkRef {
  readonly author: Author
  readonly body: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
  /** Equal to `createdAt` unless it was edited. */
  readonly updatedAt: string
  /** Of a review and of a review comment: the head commit it was made on. */
  readonly commit: string | null
  /** Of a review. */
  readonly verdict: 'approved' | 'changes_requested' | 'commented' | null
  /** Of a review comment; the line is 1-based, `null` where the diff has moved away from it. */
  readonly path: string | null
  readonly line: number | null
}

/** What a person may do here; `unknown` is never enough for anything. */
export type Permission = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none' | 'unknown'

/** An unresolved conversation on a line. */
export interface ReviewThread {
  readonly pullRequest: number
  /** Opaque. */
  readonly id: string
  readonly path: string
  readonly line: number | null
  /** First to last; never empty. */
  readonly remarks: readonly Remark[]
}

export interface OpenPullRequest {
  readonly number: number
  readonly head: string
  readonly headSha: string
  readonly base: string
  readonly labels: readonly string[]
  /** `null`: GitHub has not found out yet. */
  readonly conflicts: boolean | null
  /** The newest few, oldest first. */
  readonly reviews: readonly Remark[]
}

export interface OpenIssue {
  readonly number: number
  readonly title: string
  readonly body: string
  readonly url: string
  readonly author: Author
  readonly labels: readonly string[]
  /** ISO time of the last edit of the body; `null`: never. */
  readonly editedAt: string | null
}

/** What is open here, in one look. */
export interface Overview {
  /** Ours, by head, as `Forge.pullRequests` has it. */
  readonly pullRequests: readonly OpenPullRequest[]
  /** Labelled `executor`. */
  readonly issues: readonly OpenIssue[]
  /** Open or closed; found by its label `executor:dashboard` and our authorship. */
  readonly dashboard: OpenIssue | null
  /** Nobody has commented on a line of a pull request after this ISO time; `null`: nobody ever has. */
  readonly linesQuietSince: string | null
}

/** Who put a label on an issue last, and when; of a label that is on it now. */
export interface Labelling {
  readonly by: Author
  readonly at: string
  /** When the issue got another title, last; `null`: never. */
  readonly renamedAt: string | null
}

/** What began this run, when a schedule did, and what it began last before. ISO times. */
export interface ScheduledRuns {
  /** The workflow's file, `.github/workflows/executor.yml`. */
  readonly workflow: string
  readonly began: string
  /** `sha`: the commit of the default branch it ran on. */
  readonly previous: { readonly at: string; readonly sha: string } | null
}

/** What people say, and how they are answered. Only the use cases that serve events have one. */
export interface Discussion {
  /** Our login. */
  self(): Promise<string>
  /** By login, and only if the account there has this very id. */
  permissionOf(person: Author): Promise<Permission>
  overview(): Promise<Overview>
  /**
   * Comments and review comments of the whole repository made or edited since then (ISO time), ours
   * included, oldest first; at most the newest 300 of each kind. Reviews are in the overview.
   * `conversations`: without review comments, where nobody has made one since then.
   */
  remarksSince(time: string, kinds?: 'all' | 'conversations'): Promise<readonly Remark[]>
  /** As it is now; `null` when it was deleted. */
  remark(ref: RemarkRef): Promise<Remark | null>
  /** The unresolved ones of a pull request. */
  threads(pullRequest: number): Promise<readonly ReviewThread[]>
  /** The same reaction twice is one. A review takes none: nothing happens. */
  react(ref: RemarkRef, reaction: 'eyes' | '+1' | '-1' | 'confused'): Promise<ForgeResult<null>>
  /**
   * One answer per marker: in its thread for a review comment, else in the conversation. An answer
   * with this marker that is there already gets the new text.
   */
  answer(ref: RemarkRef, marker: string, body: string): Promise<ForgeResult<null>>
  labelling(issue: number, label: string): Promise<Labelling | null>
  /** A variable of the repository; `null` when there is none or we may not read it. */
  variable(name: string): Promise<string | null>
  /** `null` where it is not known: not in a workflow, nobody may ask, or somebody started it again. */
  scheduledRuns(): Promise<ScheduledRuns | null>
}
