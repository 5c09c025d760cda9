/**
 * The webhooks that the App serves, as `app.yml` subscribes to them. `workflow_dispatch` is not one:
 * what the App starts itself would come back as one, for ever.
 */
export const appEvents = [
  'check_suite',
  'issue_comment',
  'issues',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'push',
  'repository_dispatch',
  'status',
] as const

export const isAppEvent = (name: string): boolean => appEvents.some((event) => event === name)
