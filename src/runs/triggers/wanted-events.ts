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
