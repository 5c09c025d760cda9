import { findPlace, type PlaceRequest } from '../changes/place.ts'
import { addReply, addReviewComment, editReviewComment } from '../changes/review.ts'
import {
  type ActorCall,
  created,
  failure,
  noContent,
  notFound,
  ok,
  type Reply,
  type RepositoryCall,
  type Route,
  refusalTo,
} from '../exchange.ts'
import { inOrder, paged } from '../paging.ts'
import { mayAt } from '../permissions.ts'
import { presentReviewComment } from '../present/review.ts'
import { publishedComments } from '../published.ts'
import type { Pull, ReviewComment } from '../records.ts'

const root = '/repos/{owner}/{repo}/pulls'
const ofPull = `${root}/{pull_number}/comments`
const one = `${root}/comments/{comment_id}`

type NewComment = PlaceRequest & { readonly body: string; readonly in_reply_to?: number }

export const reviewCommentRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${root}/comments`,
    access: 'read',
    handle: (call) => list(call, publishedComments(call.repository)),
  },
  {
    method: 'GET',
    path: ofPull,
    access: 'read',
    handle(call) {
      const pull = findPull(call)
      if (pull === undefined) return notFound
      const comments = publishedComments(call.repository)
      return list(
        call,
        comments.filter((comment) => comment.pull === pull.number),
      )
    },
  },
  { method: 'POST', path: ofPull, access: 'anyone', handle: create },
  {
    method: 'POST',
    path: `${ofPull}/{comment_id}/replies`,
    access: 'anyone',
    handle(call) {
      const pull = findPull(call)
      const thread = call.repository.threads.get(Number(call.parameters.comment_id))
      if (pull === undefined || thread?.pull !== pull.number) return notFound
      const { body } = call.body as NewComment
      return created(present(call, addReply(call, pull, thread, body)))
    },
  },
  {
    method: 'GET',
    path: one,
    access: 'read',
    handle(call) {
      const comment = call.repository.reviewComments.get(Number(call.parameters.comment_id))
      return comment === undefined ? notFound : ok(present(call, comment))
    },
  },
  {
    method: 'PATCH',
    path: one,
    access: 'anyone',
    handle: (call) =>
      change(call, (comment) => {
        editReviewComment(call, comment, (call.body as NewComment).body)
        return ok(present(call, comment))
      }),
  },
  {
    method: 'DELETE',
    path: one,
    access: 'anyone',
    handle: (call) =>
      change(call, ({ id, thread }) => {
        const { reviewComments, threads } = call.repository
        reviewComments.delete(id)
        const isEmpty = ![...reviewComments.values()].some((other) => other.thread === thread)
        if (isEmpty) threads.delete(thread)
        return noContent
      }),
  },
]

/** Its author and everyone with write access may change a comment. */
function change(call: ActorCall, make: (comment: ReviewComment) => Reply): Reply {
  const { repository, viewer } = call
  const comment = repository.reviewComments.get(Number(call.parameters.comment_id))
  if (comment === undefined) return notFound
  const isTheirs = comment.author.id === viewer.id
  return isTheirs || mayAt('write', repository, viewer)
    ? make(comment)
    : failure(403, refusalTo(viewer))
}

const findPull = ({ repository, parameters }: RepositoryCall): Pull | undefined =>
  repository.pulls.get(Number(parameters.pull_number))

const list = (call: RepositoryCall, comments: readonly ReviewComment[]): Reply =>
  paged(call, inOrder(call, comments), (comment) => present(call, comment))

function present({ store, repository }: RepositoryCall, comment: ReviewComment): object {
  const thread = repository.threads.get(comment.thread)
  if (thread === undefined) throw new Error(`There is no thread of comment ${comment.id}.`)
  return presentReviewComment(store, repository, thread, comment)
}

async function create(call: ActorCall): Promise<Reply> {
  const { repository } = call
  const pull = findPull(call)
  if (pull === undefined) return notFound
  const { body, in_reply_to: replyTo, ...asked } = call.body as NewComment
  if (replyTo !== undefined) {
    const first = repository.reviewComments.get(replyTo)?.thread ?? replyTo
    const thread = repository.threads.get(first)
    if (thread?.pull !== pull.number) return invalid({ code: 'invalid', field: 'in_reply_to' })
    return created(present(call, addReply(call, pull, thread, body)))
  }
  const place = await findPlace(repository, pull, asked)
  if (place === 'commit_id') {
    const message = 'commit_id is not part of the pull request'
    return invalid({ code: 'custom', field: 'commit_id', message })
  }
  if (place === 'path')
    return invalid({ code: 'invalid', field: 'pull_request_review_thread.path' })
  if (place === 'line') {
    const field = 'pull_request_review_thread.line'
    return invalid(
      { code: 'custom', field, message: `${field} must be part of the diff` },
      { code: 'missing_field', field: 'pull_request_review_thread.diff_hunk' },
    )
  }
  return created(present(call, addReviewComment(call, pull, place, body)))
}

const invalid = (...errors: readonly object[]): Reply =>
  failure(
    422,
    'Validation Failed',
    errors.map((error) => ({ resource: 'PullRequestReviewComment', ...error })),
  )
