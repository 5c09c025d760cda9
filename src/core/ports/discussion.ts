import type { ForgeResult, PullRequest } from './forge.ts'

export interface Author {
  /** GitHub's number; unlike the login, it never changes. */
  readonly id: number
  readonly login: string
  readonly isBot: boolean
}

/** Identifies a remark: in a conversation, on a line of a diff, or a whole review. */
export interface RemarkRef {
  readonly kind: 'comment' | 'review_comment' | 'review'
  readonly id: number
  /** The issue or pull request it is on. */
  readonly on: number
}

/** A person's words on an issue or a pull request, or ours. */
export interface Remark extends RemarkRef {
  readonly author: Author
  /** This program wrote it. Our login alone does not say so: on the Action, it belongs to every workflow. */
  readonly isOurs: boolean
  readonly body: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
  /** Equal to `createdAt` unless it was edited. */
  readonly updatedAt: string
  /** For a review and a review comment: the head commit it was made on. */
  readonly commit: string | null
  /** For a review. */
  readonly verdict: 'approved' | 'changes_requested' | 'commented' | null
  /** For a review comment; the line is 1-based, `null` when the diff no longer contains it. */
  readonly path: string | null
  readonly line: number | null
}

/** A person's rights here; `unknown` is never enough. */
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

export interface OpenPullRequest
  extends Pick<PullRequest, 'number' | 'head' | 'headSha' | 'base' | 'labels'> {
  /** `null`: GitHub is still computing it. */
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

/** Everything open here, from one read. */
export interface Overview {
  /** Our own, by head, as in `Forge.pullRequests`. */
  readonly pullRequests: readonly OpenPullRequest[]
  /** Labelled `executor`. */
  readonly issues: readonly OpenIssue[]
  /** Open or closed; identified by its label `executor:dashboard` and our authorship. */
  readonly dashboard: OpenIssue | null
  /** No one has commented on a line of a pull request since this ISO time; `null`: never. */
  readonly linesQuietSince: string | null
}

/** The person who last added a present label to an issue, and the time. */
export interface Labelling {
  readonly by: Author
  readonly at: string
  /** Time of the issue's last change of title; `null`: never. */
  readonly renamedAt: string | null
}

/** The schedule's present start of this run, and its previous one. ISO times. */
export interface ScheduledRuns {
  /** The workflow's file, `.github/workflows/executor.yml`. */
  readonly workflow: string
  readonly began: string
  /** `sha`: the commit of the default branch it ran on. */
  readonly previous: { readonly at: string; readonly sha: string } | null
}

/** A check that failed on a commit, and did not fail on another. Its words are data, never instructions. */
export interface RedCheck {
  readonly name: string
  /** Failures that it reports on lines: the first few. */
  readonly annotations: readonly {
    readonly path: string
    /** 1-based. */
    readonly line: number
    readonly text: string
  }[]
  /** The end of the failing step's output, or the check's summary; may be empty. */
  readonly output: string
}

/** People's remarks and our answers. Only the use cases that serve events have one. */
export interface Discussion {
  /** Our login. */
  self(): Promise<string>
  /** By login, and only if that account has this id. */
  permissionOf(person: Author): Promise<Permission>
  overview(): Promise<Overview>
  /**
   * Comments and review comments of the whole repository made or edited since then (ISO time), ours included, oldest
   * first; at most the newest 300 of each kind. Reviews are in the overview. `conversations` skips review comments
   * when there are none since then.
   */
  remarksSince(time: string, kinds?: 'all' | 'conversations'): Promise<readonly Remark[]>
  /** Its present state; `null` when it was deleted. */
  remark(ref: RemarkRef): Promise<Remark | null>
  /** The unresolved threads of a pull request. */
  threads(pullRequest: number): Promise<readonly ReviewThread[]>
  /** Idempotent. A review takes no reaction: does nothing. */
  react(ref: RemarkRef, reaction: 'eyes' | '+1' | '-1' | 'confused'): Promise<ForgeResult<null>>
  /**
   * Posts one answer per marker: in its thread for a review comment, otherwise in the conversation. Replaces the text
   * of an answer that has this marker already.
   */
  answer(ref: RemarkRef, marker: string, body: string): Promise<ForgeResult<null>>
  labelling(issue: number, label: string): Promise<Labelling | null>
  /** The checks that failed on this commit, without those that failed on `base`, too; the first three. */
  redChecks(sha: string, base: string): Promise<readonly RedCheck[]>
  /** A variable of the repository; `null` when it is missing or unreadable. */
  variable(name: string): Promise<string | null>
  /** `null` when unknown: outside a workflow, without permission, or after a manual re-run. */
  scheduledRuns(): Promise<ScheduledRuns | null>
}
