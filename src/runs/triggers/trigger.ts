import type { AdoptedIssue } from '../../core/domain/answer.ts'
import type { Author, Remark } from '../../core/ports/discussion.ts'

/** What an event asks for, before anybody has looked whether it may. */
export type Trigger =
  /** Not for us; the reason is for the log. */
  | { readonly kind: 'ignored'; readonly reason: string }
  /** Work: on these tasks, or on all that are ready. `cron`: the schedule that asks for it. */
  | { readonly kind: 'run'; readonly only: readonly string[] | null; readonly cron?: string }
  /** A pull request may change the roadmap: look at it, and do nothing else. */
  | { readonly kind: 'lint' }
  /**
   * Something merged, closed or moved, or checks of a branch of ours ended, which only what was approved
   * may have waited for: see what is true now.
   */
  | { readonly kind: 'reconcile'; readonly after?: 'checks' }
  /** Somebody said something that may be a command, or reviewed. */
  | { readonly kind: 'remark'; readonly remark: Remark }
  | { readonly kind: 'issue_labelled'; readonly issue: LabelledIssue }
  /** Its label is gone, or it was closed. */
  | { readonly kind: 'issue_dropped'; readonly number: number }
  /** A box of the dashboard was ticked: its body as it is now. */
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

/** Names of the events that `readEvent` may find something in; any other is ignored without a look. */
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
