import type { Fault } from './faults.ts'

const root = '/repos/{owner}/{repo}'
const always = Number.POSITIVE_INFINITY
const denied = {
  kind: 'status',
  status: 403,
  when: 'before',
  message: 'Resource not accessible by integration',
} as const
const lag = { kind: 'lag' } as const

/** Faults that GitHub occasionally shows; permanent behaviour is a repository option. */
export const knownFaults = {
  /** A token without the permission for it. */
  reactionsDenied: [
    {
      method: 'POST',
      path: `${root}/issues/comments/{comment_id}/reactions`,
      times: always,
      effect: denied,
    },
    {
      method: 'POST',
      path: `${root}/pulls/comments/{comment_id}/reactions`,
      times: always,
      effect: denied,
    },
    {
      method: 'POST',
      path: `${root}/issues/{issue_number}/reactions`,
      times: always,
      effect: denied,
    },
  ],
  /** Lists that do not show the newest entry, once each. */
  commentsLag: [
    { method: 'GET', path: `${root}/issues/comments`, effect: lag },
    { method: 'GET', path: `${root}/issues/{issue_number}/comments`, effect: lag },
    { method: 'GET', path: `${root}/pulls/comments`, effect: lag },
    { method: 'GET', path: `${root}/pulls/{pull_number}/comments`, effect: lag },
  ],
  reviewsLag: [
    { method: 'GET', path: `${root}/pulls/{pull_number}/reviews`, effect: lag },
    { path: '/graphql', effect: { kind: 'lag', connections: ['reviews', 'reviewThreads'] } },
  ],
  pullRequestsLag: [
    { method: 'GET', path: `${root}/pulls`, effect: lag },
    { path: '/graphql', effect: { kind: 'lag', connections: ['pullRequests'] } },
  ],
  /** GraphQL's answer after a timeout; the query may be repeated. */
  graphqlTimeout: [
    {
      path: '/graphql',
      effect: {
        kind: 'graphql_error',
        message:
          'Something went wrong while executing your query. Please include `0000:0000:0000` when reporting this issue.',
      },
    },
  ],
  graphqlLimit: [
    {
      path: '/graphql',
      effect: { kind: 'graphql_error', type: 'RATE_LIMITED', message: 'API rate limit exceeded' },
    },
  ],
} satisfies Record<string, readonly Fault[]>
