import { label } from '../../core/domain/identity.ts'
import type { OpenIssue, OpenPullRequest, Overview } from '../../core/ports/discussion.ts'
import type { GitHubRepository } from './client.ts'
import type { Connection, Nodes } from './pages.ts'
import { namesOf, ourHead, sameName } from './pull.ts'
import {
  actorFields,
  authorOfGraphql,
  type GraphqlActor,
  type GraphqlReview,
  reviewFields,
  toReview,
} from './remarks.ts'

const labelFields = 'labels(first: 30) { nodes { name } }'
const issueFields = `number title body url createdAt editedAt: lastEditedAt ${labelFields} author { ${actorFields} }`
const newestFirst = 'orderBy: { field: CREATED_AT, direction: DESC }'

const query = `query overview(
  $owner: String!, $repo: String!, $issueLabels: [String!], $dashboardLabels: [String!]
  $pulls: Boolean!, $pullsAfter: String, $issues: Boolean!, $issuesAfter: String, $viewer: Boolean!
) {
  viewer @include(if: $viewer) { login }
  repository(owner: $owner, name: $repo) {
    pullRequests(states: OPEN, first: 100, after: $pullsAfter, ${newestFirst}) @include(if: $pulls) {
      pageInfo { hasNextPage endCursor }
      nodes {
        number head: headRefName headSha: headRefOid base: baseRefName
        isCrossRepository mergeable ${labelFields}
        reviews(last: 10) { nodes { ${reviewFields} } }
      }
    }
    issues(states: OPEN, labels: $issueLabels, first: 100, after: $issuesAfter, ${newestFirst})
      @include(if: $issues) {
      pageInfo { hasNextPage endCursor }
      nodes { ${issueFields} }
    }
    dashboards: issues(labels: $dashboardLabels, first: 10, ${newestFirst}) {
      nodes { ${issueFields} }
    }
    touched: pullRequests(first: 100, orderBy: { field: UPDATED_AT, direction: DESC }) {
      nodes { updatedAt reviewThreads(first: 1) { totalCount } }
    }
  }
}`

interface Labelled {
  readonly labels: Nodes<{ readonly name: string }> | null
}

interface Pull extends Labelled, Omit<OpenPullRequest, 'labels' | 'conflicts' | 'reviews'> {
  readonly isCrossRepository: boolean
  readonly mergeable: 'MERGEABLE' | 'CONFLICTING' | 'UNKNOWN'
  readonly reviews: Nodes<GraphqlReview> | null
}

interface Issue extends Labelled, Omit<OpenIssue, 'labels' | 'author'> {
  readonly createdAt: string
  readonly author: GraphqlActor | null
}

interface Touched {
  readonly updatedAt: string
  readonly reviewThreads: { readonly totalCount: number }
}

interface Found {
  readonly repository: {
    readonly pullRequests?: Connection<Pull>
    readonly issues?: Connection<Issue>
    readonly dashboards: Nodes<Issue>
    readonly touched: Nodes<Touched>
  }
}

const mostPages = 5

/** One request for 100 open pull requests and 100 issues; further pages up to 500 of each. */
export async function readOverview(repository: GitHubRepository): Promise<Overview> {
  const { ask, target, askWithLogin } = repository
  const labels = { issueLabels: [label.issue], dashboardLabels: [label.dashboard] }
  const pages: Found['repository'][] = []
  let next: object | null = { pulls: true, pullsAfter: null, issues: true, issuesAfter: null }
  while (pages.length < mostPages && next !== null) {
    const variables = { ...target, ...labels, ...next }
    const found = await askWithLogin<Found>((viewer) => ask(query, { ...variables, viewer }))
    pages.push(found.repository)
    next = nextOf(found.repository)
  }
  const dashboards = await oursAmong(repository, pages[0]?.dashboards.nodes ?? [])
  const pulls = pages.flatMap(({ pullRequests }) => pullRequests?.nodes ?? [])
  const issues = pages.flatMap((page) => page.issues?.nodes ?? [])
  return {
    pullRequests: pulls
      .filter((pull) => !pull.isCrossRepository && ourHead.test(pull.head))
      .map(toOpenPullRequest),
    issues: issues.map(toOpenIssue),
    dashboard: dashboards[0] ?? null,
    linesQuietSince: quietSince(pages[0]?.touched.nodes ?? []),
  }
}

/** The variables for the next page; `null` after the last page of both. */
function nextOf({ pullRequests, issues }: Found['repository']): object | null {
  const pulls = pullRequests?.pageInfo
  const more = issues?.pageInfo
  if (!pulls?.hasNextPage && !more?.hasNextPage) return null
  return {
    ...{ pulls: pulls?.hasNextPage ?? false, pullsAfter: pulls?.endCursor ?? null },
    ...{ issues: more?.hasNextPage ?? false, issuesAfter: more?.endCursor ?? null },
  }
}

/** The time since which no line comments exist: comments update their pull request. */
function quietSince(newest: readonly Touched[]): string | null {
  const commented = newest.find(({ reviewThreads }) => reviewThreads.totalCount > 0)
  return (commented ?? newest[99])?.updatedAt ?? null
}

function toOpenPullRequest(found: Pull): OpenPullRequest {
  const { isCrossRepository: _, mergeable, labels, reviews, ...pull } = found
  return {
    ...pull,
    labels: namesOf(labels?.nodes ?? []),
    conflicts: mergeable === 'UNKNOWN' ? null : mergeable === 'CONFLICTING',
    reviews: (reviews?.nodes ?? []).flatMap((review) => toReview(pull.number, review) ?? []),
  }
}

async function oursAmong(
  { login, texts }: GitHubRepository,
  found: readonly Issue[],
): Promise<readonly OpenIssue[]> {
  const us = await login()
  const ours = found.flatMap((issue) =>
    sameName(authorOfGraphql(issue.author).login, us)
      ? [
          {
            ...issue,
            ...{ kind: 'issue' as const, id: issue.number, issue },
            updatedAt: issue.editedAt ?? issue.createdAt,
          },
        ]
      : [],
  )
  return (await texts.ours(ours)).map(({ issue }) => toOpenIssue(issue))
}

const toOpenIssue = ({ labels, author, createdAt: _, ...issue }: Issue): OpenIssue => ({
  ...issue,
  author: authorOfGraphql(author),
  labels: namesOf(labels?.nodes ?? []),
})
