import type { Remark, RemarkRef } from '../../core/ports/discussion.ts'
import { authorOfRest, type RestUser } from './author.ts'
import type { GitHubRepository } from './client.ts'
import { orNull } from './failure.ts'
import { fetchReview } from './review.ts'

interface IssueComment {
  readonly id: number
  readonly body?: string
  readonly user: RestUser | null
  readonly created_at: string
  readonly updated_at: string
  readonly issue_url: string
  readonly performed_via_github_app?: object | null
}

interface ReviewComment {
  readonly id: number
  readonly node_id: string
  readonly body: string
  readonly user: RestUser | null
  readonly created_at: string
  readonly updated_at: string
  readonly pull_request_url: string
  readonly original_commit_id: string
  readonly path: string
  readonly line?: number | null
}

const pageSize = 100
const mostPages = 3

/** Comments and review comments made or edited since then, oldest first; the newest 300 of each. */
export async function remarksSince(
  repository: GitHubRepository,
  since: string,
  kinds: 'all' | 'conversations' = 'all',
): Promise<readonly Remark[]> {
  const { octokit, target } = repository
  const newest = {
    ...target,
    since,
    sort: 'updated',
    direction: 'desc',
    per_page: pageSize,
  } as const
  const comments = await pages<IssueComment>(
    async (page) => (await octokit.issues.listCommentsForRepo({ ...newest, page })).data,
  )
  const listOnLines = async (page: number) =>
    (await octokit.pulls.listReviewCommentsForRepo({ ...newest, page })).data
  const onLines = kinds === 'all' ? await pages<ReviewComment>(listOnLines) : []
  const remarks = [
    ...comments.map(toComment),
    ...(await whenPublished(repository, onLines)).map(toReviewComment),
  ]
  return remarks.sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id - b.id)
}

async function pages<T>(list: (page: number) => Promise<readonly T[]>): Promise<readonly T[]> {
  const found: T[] = []
  for (let page = 1; page <= mostPages; page++) {
    const listed = await list(page)
    found.push(...listed)
    if (listed.length < pageSize) break
  }
  return found
}

/** As it is now; `null` when it was deleted. */
export async function readRemark(
  repository: GitHubRepository,
  { kind, id, on }: RemarkRef,
): Promise<Remark | null> {
  const { octokit, target } = repository
  const one = { ...target, comment_id: id }
  const read = async (): Promise<Remark | null> => {
    if (kind === 'review') return fetchReview(repository, on, id)
    if (kind === 'comment') return toComment((await octokit.issues.getComment(one)).data)
    const { data } = await octokit.pulls.getReviewComment(one)
    const [comment = data] = await whenPublished(repository, [data])
    return toReviewComment(comment)
  }
  return orNull(read(), 404, 410)
}

const edits = `query edits($ids: [ID!]!) {
  nodes(ids: $ids) { ... on PullRequestReviewComment { id lastEditedAt } }
}`

interface Edits {
  readonly nodes: readonly ({
    readonly id?: string
    readonly lastEditedAt?: string | null
  } | null)[]
}

/**
 * A comment that waited in a review was made before it was published, and looks edited by its times:
 * GraphQL knows whether it was.
 */
async function whenPublished(
  { ask }: GitHubRepository,
  comments: readonly ReviewComment[],
): Promise<readonly ReviewComment[]> {
  const doubtful = comments.filter(({ created_at, updated_at }) => created_at !== updated_at)
  const neverEdited = new Set<string>()
  for (let at = 0; at < doubtful.length; at += pageSize) {
    const ids = doubtful.slice(at, at + pageSize).map(({ node_id }) => node_id)
    const { nodes } = await ask<Edits>(edits, { ids })
    for (const node of nodes) if (node?.id && node.lastEditedAt === null) neverEdited.add(node.id)
  }
  return comments.map((one) =>
    neverEdited.has(one.node_id) ? { ...one, created_at: one.updated_at } : one,
  )
}

/** The number at the end of the address of an issue or a pull request. */
const numberIn = (url: string): number => Number(/\d+$/.exec(url)?.[0])

function toComment(comment: IssueComment): Remark {
  return {
    kind: 'comment',
    id: comment.id,
    on: numberIn(comment.issue_url),
    author: authorOfRest(comment.user, Boolean(comment.performed_via_github_app)),
    body: comment.body ?? '',
    createdAt: comment.created_at,
    updatedAt: comment.updated_at,
    commit: null,
    verdict: null,
    path: null,
    line: null,
  }
}

/** Its commit is the head it was made on; `commit_id` would follow the head. */
function toReviewComment(comment: ReviewComment): Remark {
  return {
    kind: 'review_comment',
    id: comment.id,
    on: numberIn(comment.pull_request_url),
    author: authorOfRest(comment.user, false),
    body: comment.body,
    createdAt: comment.created_at,
    updatedAt: comment.updated_at,
    commit: comment.original_commit_id,
    verdict: null,
    path: comment.path,
    line: comment.line ?? null,
  }
}
