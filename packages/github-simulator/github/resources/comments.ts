import { addComment, deleteComment, editComment } from '../changes/comment.ts'
import {
  type ActorCall,
  created,
  failure,
  noContent,
  notFound,
  ok,
  type Reply,
  type Route,
  refusalTo,
} from '../exchange.ts'
import { inOrder, paged } from '../paging.ts'
import { mayAt } from '../permissions.ts'
import { presentComment } from '../present/issue.ts'
import type { Comment } from '../records.ts'
import { findIssue } from '../store.ts'

const root = '/repos/{owner}/{repo}/issues'
const ofIssue = `${root}/{issue_number}/comments`
const one = `${root}/comments/{comment_id}`

export const commentRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${root}/comments`,
    access: 'read',
    handle: (call) =>
      paged(call, inOrder(call, [...call.repository.comments.values()]), (comment) =>
        presentComment(call.store, call.repository, comment),
      ),
  },
  {
    method: 'GET',
    path: ofIssue,
    access: 'read',
    handle(call) {
      const { store, repository, parameters } = call
      const number = Number(parameters.issue_number)
      if (findIssue(repository, number) === undefined) return notFound
      const comments = [...repository.comments.values()].filter(({ issue }) => issue === number)
      const { since } = call.query
      const ascending = inOrder({ query: since === undefined ? {} : { since } }, comments)
      return paged(call, ascending, (comment) => presentComment(store, repository, comment))
    },
  },
  {
    method: 'POST',
    path: ofIssue,
    access: 'anyone',
    handle(call) {
      const { store, repository, parameters, body } = call
      const issue = findIssue(repository, Number(parameters.issue_number))
      if (issue === undefined) return notFound
      const comment = addComment(call, issue, (body as { body: string }).body)
      return created(presentComment(store, repository, comment))
    },
  },
  {
    method: 'GET',
    path: one,
    access: 'read',
    handle({ store, repository, parameters }) {
      const comment = repository.comments.get(Number(parameters.comment_id))
      return comment === undefined ? notFound : ok(presentComment(store, repository, comment))
    },
  },
  {
    method: 'PATCH',
    path: one,
    access: 'anyone',
    handle: (call) =>
      change(call, (comment) => {
        editComment(call, comment, (call.body as { body: string }).body)
        return ok(presentComment(call.store, call.repository, comment))
      }),
  },
  {
    method: 'DELETE',
    path: one,
    access: 'anyone',
    handle: (call) =>
      change(call, (comment) => {
        deleteComment(call, comment)
        return noContent
      }),
  },
]

/** Its author and everyone with write access may change a comment. */
function change(
  { repository, viewer, parameters }: ActorCall,
  make: (comment: Comment) => Reply,
): Reply {
  const comment = repository.comments.get(Number(parameters.comment_id))
  if (comment === undefined) return notFound
  if (comment.author.id !== viewer.id && !mayAt('write', repository, viewer)) {
    return failure(403, refusalTo(viewer))
  }
  return make(comment)
}
