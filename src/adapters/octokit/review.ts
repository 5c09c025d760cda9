import type { Remark } from '../../core/ports/discussion.ts'
import { actorFields, authorOfGraphql, type GraphqlActor } from './author.ts'
import type { GitHubRepository } from './client.ts'

/** A review as GraphQL shows it: the REST API does not say whether its text was edited. */
export interface GraphqlReview {
  readonly fullDatabaseId: string | number | null
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED' | 'PENDING'
  readonly body: string
  readonly createdAt: string
  readonly submittedAt: string | null
  readonly lastEditedAt: string | null
  readonly commit: { readonly oid: string } | null
  readonly author: GraphqlActor | null
}

export const reviewFields = `fullDatabaseId state body createdAt submittedAt lastEditedAt
  commit { oid } ${actorFields}`

const verdicts = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes_requested',
  COMMENTED: 'commented',
} as const

/** `null` for one that was taken back, or is not submitted yet. */
export function toReview(on: number, review: GraphqlReview): Remark | null {
  const { state, body, commit } = review
  if (state === 'DISMISSED' || state === 'PENDING') return null
  const createdAt = review.submittedAt ?? review.createdAt
  return {
    kind: 'review',
    id: Number(review.fullDatabaseId),
    on,
    author: authorOfGraphql(review.author),
    body,
    createdAt,
    updatedAt: review.lastEditedAt ?? createdAt,
    commit: commit?.oid ?? null,
    verdict: verdicts[state],
    path: null,
    line: null,
  }
}

const query = `query reviews($owner: String!, $repo: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      reviews(last: 100, before: $before) {
        pageInfo { hasPreviousPage startCursor }
        nodes { ${reviewFields} }
      }
    }
  }
}`

interface Found {
  readonly repository: {
    readonly pullRequest: {
      readonly reviews: {
        readonly pageInfo: {
          readonly hasPreviousPage: boolean
          readonly startCursor: string | null
        }
        readonly nodes: readonly GraphqlReview[]
      }
    }
  }
}

const mostPages = 5

/** One review as it is now; `null` also when it is not among the newest 500 of its pull request. */
export async function fetchReview(
  { ask, target }: GitHubRepository,
  number: number,
  id: number,
): Promise<Remark | null> {
  let before: string | null = null
  for (let page = 1; page <= mostPages; page++) {
    const found: Found = await ask(query, { ...target, number, before })
    const { nodes, pageInfo } = found.repository.pullRequest.reviews
    const review = nodes.find((one) => Number(one.fullDatabaseId) === id)
    if (review !== undefined) return toReview(number, review)
    if (!pageInfo.hasPreviousPage) return null
    before = pageInfo.startCursor
  }
  return null
}
