import { label } from '../../core/domain/identity.ts'
import type { OpenIssue, OpenPullRequest, Overview } from '../../core/ports/discussion.ts'
import { actorFields, authorOfGraphql, type GraphqlActor } from './author.ts'
import type { GitHubRepository } from './client.ts'
import { sameName } from './pull.ts'
import { type GraphqlReview, reviewFields, toReview } from './review.ts'

const issueFields = `number title body url lastEditedAt
  labels(first: 30) { nodes { name } } ${actorFields}`

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
        number headRefName headRefOid baseRefName isCrossRepository mergeable
        labels(first: 30) { nodes { name } }
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

interface Labels {
  readonly nodes: readonly { readonly name: string }[]
}

interface Pull {
  readonly number: number
  readonly headRefName: string
  readonly headRefOid: string
  readonly baseRefName: string
  readonly isCrossRepository: boolean
  readonly mergeable: 'MERGEABLE' | 'CONFLICTING' | 'UNKNOWN'
  readonly labels: Labels | null
  readonly reviews: { readonly nodes: readonly GraphqlReview[] } | null
}

interface Issue {
  readonly number: number
  readonly title: string
  readonly body: string
  readonly url: string
  readonly lastEditedAt: string | null
  readonly labels: Labels | null
  readonly author: GraphqlActor | null
}

interface Touched {
  readonly updatedAt: string
  readonly reviewThreads: { readonly totalCount: number }
}

interface Page<T> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  readonly nodes: readonly T[]
}

interface Found {
  readonly repository: {
    readonly pullRequests?: Page<Pull>
    readonly issues?: Page<Issue>
    readonly dashboards: { readonly nodes: readonly Issue[] }
    readonly touched: { readonly nodes: readonly Touched[] }
  }
}

const mostPages = 5

/** One request for 100 open pull requests and 100 issues; more only where there are more, 500 at most. */
export async function readOverview(repository: GitHubRepository): Promise<Overview> {
  const { ask, target } = repository
  const pulls: Pull[] = []
  const issues: Issue[] = []
  const dashboards: Issue[] = []
  let linesQuietSince: string | null = null
  let next = { pulls: true, issues: true, pullsAfter: '', issuesAfter: '' }
  for (let page = 1; page <= mostPages && (next.pulls || next.issues); page++) {
    const variables = {
      ...target,
      issueLabels: [label.issue],
      dashboardLabels: [label.dashboard],
      ...next,
      pullsAfter: next.pullsAfter || null,
      issuesAfter: next.issuesAfter || null,
    }
    const { repository: found } = await repository.askWithLogin<Found>((viewer) =>
      ask(query, { ...variables, viewer }),
    )
    pulls.push(...(found.pullRequests?.nodes ?? []))
    issues.push(...(found.issues?.nodes ?? []))
    if (page === 1) {
      dashboards.push(...found.dashboards.nodes)
      linesQuietSince = quietSince(found.touched.nodes)
    }
    next = {
      pulls: found.pullRequests?.pageInfo.hasNextPage ?? false,
      issues: found.issues?.pageInfo.hasNextPage ?? false,
      pullsAfter: found.pullRequests?.pageInfo.endCursor ?? '',
      issuesAfter: found.issues?.pageInfo.endCursor ?? '',
    }
  }
  const ours = await repository.login()
  const dashboard = dashboards.map(toOpenIssue).find(({ author }) => sameName(author.login, ours))
  return {
    pullRequests: pulls
      .filter(({ isCrossRepository }) => !isCrossRepository)
      .filter(({ headRefName }) => /^(agent|executor\/recovery)\/./.test(headRefName))
      .map(toOpenPullRequest),
    issues: issues.map(toOpenIssue),
    dashboard: dashboard ?? null,
    linesQuietSince,
  }
}

/** A comment touches its pull request; of those that are not shown, none was touched later than the last. */
function quietSince(newest: readonly Touched[]): string | null {
  const commented = newest.find(({ reviewThreads }) => reviewThreads.totalCount > 0)
  return (commented ?? newest[99])?.updatedAt ?? null
}

const namesOf = (labels: Labels | null): readonly string[] =>
  labels?.nodes.map(({ name }) => name) ?? []

function toOpenPullRequest(pull: Pull): OpenPullRequest {
  return {
    number: pull.number,
    head: pull.headRefName,
    headSha: pull.headRefOid,
    base: pull.baseRefName,
    labels: namesOf(pull.labels),
    conflicts: pull.mergeable === 'UNKNOWN' ? null : pull.mergeable === 'CONFLICTING',
    reviews: (pull.reviews?.nodes ?? []).flatMap((review) => toReview(pull.number, review) ?? []),
  }
}

function toOpenIssue({ number, title, body, url, lastEditedAt, labels, author }: Issue): OpenIssue {
  const by = authorOfGraphql(author)
  return { number, title, body, url, author: by, labels: namesOf(labels), editedAt: lastEditedAt }
}
