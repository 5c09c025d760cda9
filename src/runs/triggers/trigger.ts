import type { AdoptedIssue } from '../../core/domain/answer.ts'
import type { Author, Remark } from '../../core/ports/discussion.ts'

/** The request in an event, before its author is checked. */
export type Trigger =
  /** Not meant for us; the reason is for the log. */
  | { readonly kind: 'ignored'; readonly reason: string }
  /** Work on these tasks, or on all ready ones. `cron`: the schedule that asks for it. `woken`: no person chose them. */
  | {
      readonly kind: 'run'
      readonly only: readonly string[] | null
      readonly cron?: string
      readonly woken?: true
    }
  /** A pull request may change the roadmap: lint it, and do nothing else. */
  | { readonly kind: 'lint' }
  /**
   * Something merged, closed or moved, or checks of one of our branches ended, which approvals may have waited for:
   * read the present state.
   */
  | { readonly kind: 'reconcile'; readonly after?: 'checks' }
  /** A comment that may be a command, or a review. */
  | { readonly kind: 'remark'; readonly remark: Remark }
  | { readonly kind: 'issue_labelled'; readonly issue: LabelledIssue }
  /** It lost its label, or was closed. */
  | { readonly kind: 'issue_dropped'; readonly number: number }
  /** A box of the dashboard was ticked; with its present body. */
  | {
      readonly kind: 'dashboard'
      readonly number: number
      readonly body: string
      readonly by: Author
    }

/** An issue as it was in the event that labelled it: later edits do not count. */
export type LabelledIssue = Pick<AdoptedIssue, 'number' | 'title' | 'body' | 'at'> & {
  readonly labelledBy: Author
}

/** Events that `readEvent` may find something in; any other is ignored unread. */
export const wantedEvents: ReadonlySet<string> = new Set([
  'schedule',
  'workflow_dispatch',
  'repository_dispatch',
  'issues',
  'issue_comment',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'push',
  'check_suite',
  'status',
  'workflow_run',
])
