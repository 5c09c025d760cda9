/** Reads remarks: REST for comments and single remarks, GraphQL for reviews and threads. */
import type { Author, Remark, RemarkRef, ReviewThread } from '../../core/ports/discussion.ts'
import type { GitHubRepository, RestAnswer } from './client.ts'
import { hasStatus, orNull, reasonOf } from './failure.ts'
import { type Connection, connected, findIn, type Nodes, pageSize, readAll } from './pages.ts'
import { sameName } from './pull.ts'

/** An account as GraphQL shows it. */
export interface GraphqlActor {
  readonly __typename: string
  readonly login: string
  readonly databaseId?: number | null
}

export const actorFields = '__typename login ... on User { databaseId } ... on Bot { databaseId }'

/** A deleted account, which never has a permission. */
const ghost: Author = { id: 0, login: 'ghost', isBot: true }

/**
 * An author who writes through an App counts as a bot, even a person: text that another program
 * sends in someone's name is not theirs. GitHub reports this only for conversations.
 */
function authorOfRest(user: IssueComment['user'], viaApp: boolean): Author {
  if (user === null) return ghost
  const isBot = user.type === 'Bot' || user.login.endsWith('[bot]') || viaApp
  return { id: user.id, login: user.login, isBot }
}

/** GraphQL omits the suffix of bot names that REST includes. */
export function authorOfGraphql(actor: GraphqlActor | null): Author {
  if (actor === null) return ghost
  const { login, databaseId } = actor
  const isBot = actor.__typename === 'Bot' || login.endsWith('[bot]')
  const name = isBot && !login.endsWith('[bot]') ? `${login}[bot]` : login
  return { id: databaseId ?? 0, login: name, isBot }
}

type IssueComment = RestAnswer<'issues', 'getComment'>
type ReviewComment = RestAnswer<'pulls', 'getReviewComment'>

/** A remark that is not yet known to be ours or another program's. */
type Said = Omit<Remark, 'isOurs'>

/** All our texts start with one of our markers. */
const anyMarker = '<!-- executor:'

/** Recognises our own texts. */
async function recognised<T extends Said>(
  { login, texts }: GitHubRepository,
  said: readonly T[],
): Promise<readonly (T & Remark)[]> {
  const us = await login()
  const marked = said.flatMap((one) =>
    one.kind !== 'review' && one.body.startsWith(anyMarker) && sameName(one.author.login, us)
      ? [{ ...one, kind: one.kind, said: one }]
      : [],
  )
  const ours = new Set((await texts.ours(marked)).map((one) => one.said))
  return said.map((one) => ({ ...one, isOurs: ours.has(one) }))
}

const mostPages = 3

/** Comments and review comments created or edited since then, oldest first; the newest 300 each. */
export async function remarksSince(
  repository: GitHubRepository,
  since: string,
  kinds: 'all' | 'conversations' = 'all',
): Promise<readonly Remark[]> {
  const { issues, pulls } = repository.octokit
  const order = { sort: 'updated', direction: 'desc', per_page: pageSize } as const
  const newest = { ...repository.target, since, ...order }
  const comments = await readAll<IssueComment>(
    mostPages,
    async (page) => (await issues.listCommentsForRepo({ ...newest, page })).data,
  )
  const onLines = await readAll<ReviewComment>(
    kinds === 'all' ? mostPages : 0,
    async (page) => (await pulls.listReviewCommentsForRepo({ ...newest, page })).data,
  )
  const published = await whenPublished(repository, onLines)
  const said = [...comments.map(toComment), ...published.map(toReviewComment)].sort(
    (a, b) => a.createdAt.localeCompare(b.createdAt) || a.id - b.id,
  )
  return recognised(repository, said)
}

/** Reads the current remark; `null` if it was deleted. */
export async function readRemark(
  repository: GitHubRepository,
  { kind, id, on }: RemarkRef,
): Promise<Remark | null> {
  const { octokit, target } = repository
  const one = { ...target, comment_id: id }
  const read = async (): Promise<Said | null> => {
    if (kind === 'review') return readReview(repository, on, id)
    if (kind === 'comment') return toComment((await octokit.issues.getComment(one)).data)
    const { data } = await octokit.pulls.getReviewComment(one)
    const [comment = data] = await whenPublished(repository, [data])
    return toReviewComment(comment)
  }
  const said = await orNull(read(), 404, 410)
  return said === null ? null : ((await recognised(repository, [said]))[0] ?? null)
}

const edits = `query edits($ids: [ID!]!) {
  nodes(ids: $ids) { ... on PullRequestReviewComment { id lastEditedAt } }
}`

interface Edit {
  readonly id?: string
  readonly lastEditedAt?: string | null
}

/**
 * A comment that waited in a review predates its publication, so its times look edited. GraphQL
 * tells whether it was.
 */
async function whenPublished(
  { ask }: GitHubRepository,
  comments: readonly ReviewComment[],
): Promise<readonly ReviewComment[]> {
  const doubtful = comments.filter(({ created_at, updated_at }) => created_at !== updated_at)
  const neverEdited = new Set<string>()
  for (let at = 0; at < doubtful.length; at += pageSize) {
    const ids = doubtful.slice(at, at + pageSize).map(({ node_id }) => node_id)
    const { nodes } = await ask<Nodes<Edit | null>>(edits, { ids })
    for (const node of nodes) if (node?.id && node.lastEditedAt === null) neverEdited.add(node.id)
  }
  return comments.map((one) =>
    neverEdited.has(one.node_id) ? { ...one, created_at: one.updated_at } : one,
  )
}

/** The number at the end of an issue's or pull request's address. */
const numberIn = (url: string): number => Number(/\d+$/.exec(url)?.[0])

/** Defaults for fields that some kinds of remark lack. */
const without = { commit: null, verdict: null, path: null, line: null } as const

const said = ({ id, body = '', created_at, updated_at }: IssueComment | ReviewComment) => ({
  ...{ id, body, createdAt: created_at, updatedAt: updated_at },
})

const toComment = (comment: IssueComment): Said => ({
  ...without,
  ...said(comment),
  kind: 'comment',
  on: numberIn(comment.issue_url),
  author: authorOfRest(comment.user, Boolean(comment.performed_via_github_app)),
})

/** `commit_id` would follow the head, so this uses the original commit. */
const toReviewComment = (comment: ReviewComment): Said => ({
  ...without,
  ...said(comment),
  kind: 'review_comment',
  on: numberIn(comment.pull_request_url),
  author: authorOfRest(comment.user, false),
  commit: comment.original_commit_id,
  path: comment.path,
  line: comment.line ?? null,
})

interface GraphqlRemark extends Pick<Remark, 'body' | 'createdAt'> {
  readonly fullDatabaseId: string | number | null
  readonly lastEditedAt: string | null
  readonly author: GraphqlActor | null
}

const remarkFields = `fullDatabaseId body createdAt lastEditedAt author { ${actorFields} }`

/** @param publishedAt if later than its creation */
function saidOnPull(
  on: number,
  { fullDatabaseId, body, author, ...at }: GraphqlRemark,
  publishedAt: string | null,
) {
  const createdAt = publishedAt ?? at.createdAt
  const updatedAt = at.lastEditedAt ?? createdAt
  const id = Number(fullDatabaseId)
  return { ...without, id, on, author: authorOfGraphql(author), body, createdAt, updatedAt }
}

type Commit = { readonly oid: string } | null

/** A review from GraphQL: REST does not tell whether its text was edited. */
export interface GraphqlReview extends GraphqlRemark {
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED' | 'PENDING'
  readonly submittedAt: string | null
  readonly commit: Commit
}

export const reviewFields = `${remarkFields} state submittedAt commit { oid }`

const verdicts = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes_requested',
  COMMENTED: 'commented',
} as const

/** Returns `null` for a dismissed or pending review. */
export function toReview(on: number, review: GraphqlReview): Remark | null {
  const { state, submittedAt, commit } = review
  if (state === 'DISMISSED' || state === 'PENDING') return null
  const remark = saidOnPull(on, review, submittedAt)
  const about = { commit: commit?.oid ?? null, verdict: verdicts[state] }
  return { ...remark, kind: 'review', isOurs: false, ...about }
}

/** Reads a connection of a pull request page by page. */
function askPull<Name extends string, T>(
  { ask, target }: GitHubRepository,
  number: number,
  name: Name,
  fields: string,
): (cursor: string | null) => Promise<Connection<T>> {
  const query = `query ${name}($owner: String!, $repo: String!, $number: Int!, $cursor: String) {
    repository(owner: $owner, name: $repo) { pullRequest(number: $number) { ${fields} } }
  }`
  return async (cursor) => {
    const found = await ask<{ repository: { pullRequest: Record<Name, Connection<T>> } }>(query, {
      ...{ ...target, number, cursor },
    })
    return found.repository.pullRequest[name]
  }
}

/** Reads one review again; `null` if it is not among the newest 500 of its pull request. */
async function readReview(
  repository: GitHubRepository,
  number: number,
  id: number,
): Promise<Remark | null> {
  const read = askPull<'reviews', GraphqlReview>(
    repository,
    number,
    'reviews',
    `reviews(last: 100, before: $cursor) {
      pageInfo { hasNextPage: hasPreviousPage endCursor: startCursor }
      nodes { ${reviewFields} }
    }`,
  )
  const review = await findIn(connected(5, read), (one) => Number(one.fullDatabaseId) === id)
  return review && toReview(number, review)
}

interface ThreadComment extends GraphqlRemark, Pick<ReviewThread, 'path' | 'line'> {
  readonly publishedAt: string | null
  readonly originalCommit: Commit
}

interface Thread extends Pick<ReviewThread, 'id' | 'path' | 'line'> {
  readonly isResolved: boolean
  readonly comments: Nodes<ThreadComment>
}

/** The unresolved threads among the first 300, with the first 100 remarks of each. */
export async function readThreads(
  repository: GitHubRepository,
  pullRequest: number,
): Promise<readonly ReviewThread[]> {
  const read = askPull<'reviewThreads', Thread>(
    repository,
    pullRequest,
    'reviewThreads',
    `reviewThreads(first: 50, after: $cursor) {
      pageInfo { hasNextPage endCursor }
      nodes {
        id isResolved path line
        comments(first: 100) {
          nodes { ${remarkFields} publishedAt path line originalCommit { oid } }
        }
      }
    }`,
  )
  const threads: ReviewThread[] = []
  for await (const { id, isResolved, path, line, comments } of connected(6, read)) {
    const said = comments.nodes.map((comment): Said => {
      const { publishedAt, originalCommit } = comment
      const place = { commit: originalCommit?.oid ?? null, path: comment.path, line: comment.line }
      return { ...saidOnPull(pullRequest, comment, publishedAt), kind: 'review_comment', ...place }
    })
    if (isResolved || said.length === 0) continue
    threads.push({ pullRequest, id, path, line, remarks: await recognised(repository, said) })
  }
  return threads
}

/** Adds a reaction; GitHub keeps one of a kind per account. A refusal is only logged. */
export async function react(
  { target, log, perform }: GitHubRepository,
  { kind, id }: RemarkRef,
  content: 'eyes' | '+1' | '-1' | 'confused',
): Promise<void> {
  if (kind === 'review') return
  const reaction = { ...target, comment_id: id, content }
  try {
    await perform({
      kind: 'reaction',
      key: `${kind} ${id} ${content}`,
      detail: `${content} on ${kind} ${id}`,
      // Adding it twice has no effect, so no read is needed.
      snapshot: 'unknown',
      read: async () => 'unknown',
      alreadyApplied: () => null,
      async apply({ reactions }) {
        if (kind === 'comment') await reactions.createForIssueComment(reaction)
        else await reactions.createForPullRequestReviewComment(reaction)
        return true
      },
    })
  } catch (error) {
    if (!hasStatus(error, 403, 404, 422)) throw error
    log(`No ${content} on ${kind} ${id}: ${reasonOf(error)}`)
  }
}
