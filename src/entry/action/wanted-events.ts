/** Events that start something. Any other ends before a library is loaded. */
export const wantedEvents: ReadonlySet<string> = new Set([
  'schedule',
  'workflow_dispatch',
  'pull_request',
])
