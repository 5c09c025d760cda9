import type { Review, ReviewComment, ReviewThread } from '../records.ts'
import type { Repository, Store } from '../store.ts'
import { presentRollup } from './reaction.ts'
import { repositoryPage, repositoryUrl } from './repository.ts'
import { authorAssociation, nodeId, presentUser } from './user.ts'

const link = (href: string): { readonly href: string } => ({ href })

export function presentReview(
  store: Store,
  repository: Repository,
  review: Review,
): Record<string, unknown> {
  const pull = `${repositoryUrl(store, repository)}/pulls/${review.pull}`
  const page = reviewPage(store, repository, review)
  return {
    id: review.id,
    node_id: nodeId('PullRequestReview', review.id),
    user: presentUser(store, review.author),
    body: review.body,
    state: review.state,
    html_url: page,
    pull_request_url: pull,
    author_association: authorAssociation(repository, review.author),
    _links: { html: link(page), pull_request: link(pull) },
    ...(review.submittedAt === null ? {} : { submitted_at: review.submittedAt }),
    commit_id: review.commit,
  }
}

export const reviewPage = (store: Store, repository: Repository, review: Review): string =>
  `${repositoryPage(store, repository)}/pull/${review.pull}#pullrequestreview-${review.id}`

export function presentReviewComment(
  store: Store,
  repository: Repository,
  thread: ReviewThread,
  comment: ReviewComment,
): Record<string, unknown> {
  const api = repositoryUrl(store, repository)
  const url = `${api}/pulls/comments/${comment.id}`
  const pull = `${api}/pulls/${comment.pull}`
  const page = reviewCommentPage(store, repository, comment)
  return {
    url,
    pull_request_review_id: comment.review,
    id: comment.id,
    node_id: nodeId('PullRequestReviewComment', comment.id),
    diff_hunk: thread.diffHunk,
    path: thread.path,
    // The older way to say where it stands, which is not followed here.
    position: thread.outdated ? null : thread.position,
    original_position: thread.position,
    commit_id: thread.commit,
    original_commit_id: thread.originalCommit,
    ...(comment.id === thread.id ? {} : { in_reply_to_id: thread.id }),
    user: presentUser(store, comment.author),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    html_url: page,
    pull_request_url: pull,
    author_association: authorAssociation(repository, comment.author),
    _links: { self: link(url), html: link(page), pull_request: link(pull) },
    start_line: thread.startLine,
    original_start_line: thread.originalStartLine,
    start_side: thread.originalStartLine === null ? null : thread.side,
    line: thread.line,
    original_line: thread.originalLine,
    side: thread.side,
    subject_type: thread.originalLine === null ? 'file' : 'line',
    reactions: presentRollup(repository, 'review_comment', comment.id, url),
  }
}

export const reviewCommentPage = (
  store: Store,
  repository: Repository,
  { pull, id }: ReviewComment,
): string => `${repositoryPage(store, repository)}/pull/${pull}#discussion_r${id}`
