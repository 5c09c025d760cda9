import type { Remark, ReviewThread } from '../../core/ports/discussion.ts'
import { actorFields, authorOfGraphql, type GraphqlActor } from './author.ts'
import type { GitHubRepository } from './client.ts'

const query = `query threads($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      reviewThreads(first: 50, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id isResolved path line
          comments(first: 100) {
            nodes {
              fullDatabaseId body createdAt publishedAt lastEditedAt path line
              originalCommit { oid } ${actorFields}
            }
          }
        }
      }
    }
  }
}`

interface Comment {
  readonly fullDatabaseId: string | number | null
  readonly body: string
  readonly createdAt: string
  readonly publishedAt: string | null
  readonly lastEditedAt: string | null
  readonly path: string
  readonly line: number | null
  readonly originalCommit: { readonly oid: string } | null
  readonly author: GraphqlActor | null
}

interface Found {
  readonly repository: {
    readonly pullRequest: {
      readonly reviewThreads: {
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
        readonly nodes: readonly {
          readonly id: string
          readonly isResolved: boolean
          readonly path: string
          readonly line: number | null
          readonly comments: { readonly nodes: readonly Comment[] }
        }[]
      }
    }
  }
}

const mostPages = 6

/** The unresolved ones, of the first 300, with the first 100 remarks of each. */
export async function readThreads(
  { ask, target }: GitHubRepository,
  number: number,
): Promise<readonly ReviewThread[]> {
  const threads: ReviewThread[] = []
  let after: string | null = null
  for (let page = 1; page <= mostPages; page++) {
    const found: Found = await ask(query, { ...target, number, after })
    const { nodes, pageInfo } = found.repository.pullRequest.reviewThreads
    for (const { id, isResolved, path, line, comments } of nodes) {
      const remarks = comments.nodes.map((comment) => toRemark(number, comment))
      if (!isResolved && remarks.length > 0) {
        threads.push({ pullRequest: number, id, path, line, remarks })
      }
    }
    if (!pageInfo.hasNextPage) break
    after = pageInfo.endCursor
  }
  return threads
}

function toRemark(on: number, comment: Comment): Remark {
  const createdAt = comment.publishedAt ?? comment.createdAt
  return {
    kind: 'review_comment',
    id: Number(comment.fullDatabaseId),
    on,
    author: authorOfGraphql(comment.author),
    body: comment.body,
    createdAt,
    updatedAt: comment.lastEditedAt ?? createdAt,
    commit: comment.originalCommit?.oid ?? null,
    verdict: null,
    path: comment.path,
    line: comment.line,
  }
}
