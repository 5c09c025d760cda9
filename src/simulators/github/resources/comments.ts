import {
  created,
  failure,
  noContent,
  notFound,
  ok,
  type Reply,
  type RepositoryCall,
  type Route,
} from '../exchange.ts'
import { paged } from '../paging.ts'
import { presentComment } from '../present/issue.ts'
import { type Comment, permissionOf } from '../store.ts'

const root = '/repos/{owner}/{repo}/issues'
const ofIssue = `${root}/{issue_number}/comments`
const one = `${root}/comments/{comment_id}`

export const commentRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: ofIssue,
    access: 'read',
    handle(call) {
      const { store, repository, parameters } = call
      const number = Number(parameters.issue_number)
      if (!repository.pulls.has(number)) return notFound
      const comments = [...repository.comments.values()].filter(({ issue }) => issue === number)
      return paged(call, comments, (comment) => presentComment(store, repository, comment))
    },
  },
  {
    method: 'POST',
    path: ofIssue,
    access: 'anyone',
    handle({ store, repository, parameters, body, viewer }) {
      const issue = Number(parameters.issue_number)
      if (!repository.pulls.has(issue) || viewer === null) return notFound
      const now = store.now()
      const { body: text } = body as { body: string }
      const comment = {
        id: store.nextId(),
        issue,
        author: viewer,
        body: text,
        createdAt: now,
        updatedAt: now,
      }
      repository.comments.set(comment.id, comment)
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
        comment.body = (call.body as { body: string }).body
        comment.updatedAt = call.store.now()
        return ok(presentComment(call.store, call.repository, comment))
      }),
  },
  {
    method: 'DELETE',
    path: one,
    access: 'anyone',
    handle: (call) =>
      change(call, (comment) => {
        call.repository.comments.delete(comment.id)
        return noContent
      }),
  },
]

/** A comment may be changed by its author, and by whoever may write to the repository. */
function change(
  { repository, viewer, parameters }: RepositoryCall,
  make: (comment: Comment) => Reply,
): Reply {
  const comment = repository.comments.get(Number(parameters.comment_id))
  if (comment === undefined || viewer === null) return notFound
  if (comment.author.id !== viewer.id && permissionOf(repository, viewer) === 'read') {
    return failure(403, 'Must have admin rights to Repository.')
  }
  return make(comment)
}
