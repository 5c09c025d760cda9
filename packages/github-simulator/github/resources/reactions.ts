import { type ActorCall, created, notFound, ok, type Reply, type Route } from '../exchange.ts'
import { paged } from '../paging.ts'
import { presentReaction } from '../present/reaction.ts'
import type { Reaction } from '../records.ts'
import { findIssue } from '../store.ts'

const root = '/repos/{owner}/{repo}'
const ofComment = `${root}/issues/comments/{comment_id}/reactions`

export const reactionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: ofComment,
    access: 'read',
    handle(call) {
      const id = Number(call.parameters.comment_id)
      if (!call.repository.comments.has(id)) return notFound
      const { content } = call.query
      const reactions = call.repository.reactions
        .filter(({ kind, subject }) => kind === 'comment' && subject === id)
        .filter((reaction) => content === undefined || reaction.content === content)
      return paged(call, reactions, (reaction) => presentReaction(call.store, reaction))
    },
  },
  {
    method: 'POST',
    path: ofComment,
    access: 'anyone',
    handle(call) {
      const comment = call.repository.comments.get(Number(call.parameters.comment_id))
      return react(call, 'comment', comment)
    },
  },
  {
    method: 'POST',
    path: `${root}/pulls/comments/{comment_id}/reactions`,
    access: 'anyone',
    handle(call) {
      const comment = call.repository.reviewComments.get(Number(call.parameters.comment_id))
      return react(call, 'review_comment', comment)
    },
  },
  {
    method: 'POST',
    path: `${root}/issues/{issue_number}/reactions`,
    access: 'anyone',
    handle(call) {
      const issue = findIssue(call.repository, Number(call.parameters.issue_number))
      return react(call, 'issue', issue)
    },
  },
]

/** 201 for a new reaction; the same one again is answered with 200, and is not counted twice. */
function react(
  { store, repository, viewer, body }: ActorCall,
  kind: Reaction['kind'],
  on: { readonly id: number } | undefined,
): Reply {
  if (on === undefined) return notFound
  const { content } = body as Pick<Reaction, 'content'>
  const known = repository.reactions.find(
    (one) =>
      one.kind === kind &&
      one.subject === on.id &&
      one.content === content &&
      one.author.id === viewer.id,
  )
  if (known !== undefined) return ok(presentReaction(store, known))
  const reaction: Reaction = {
    ...{ id: store.nextId(), kind, subject: on.id, author: viewer, content },
    createdAt: store.now(),
  }
  repository.reactions.push(reaction)
  return created(presentReaction(store, reaction))
}
