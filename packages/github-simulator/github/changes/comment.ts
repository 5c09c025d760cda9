import type { Scene } from '../exchange.ts'
import { presentComment, presentIssue } from '../present/issue.ts'
import type { Comment, Issue } from '../records.ts'
import { findIssue } from '../store.ts'
import { tell } from '../webhooks.ts'

export function addComment(scene: Scene, issue: Issue, body: string): Comment {
  const { store, repository, viewer } = scene
  const now = store.now()
  const comment: Comment = {
    ...{ id: store.nextId(), issue: issue.number, author: viewer, body },
    ...{ createdAt: now, updatedAt: now, lastEditedAt: null },
  }
  repository.comments.set(comment.id, comment)
  issue.updatedAt = now
  tellOfComment(scene, comment, 'created')
  return comment
}

export function editComment(scene: Scene, comment: Comment, body: string): void {
  const changes = { body: { from: comment.body } }
  comment.body = body
  comment.updatedAt = scene.store.now()
  comment.lastEditedAt = comment.updatedAt
  tellOfComment(scene, comment, 'edited', { changes })
}

export function deleteComment(scene: Scene, comment: Comment): void {
  scene.repository.comments.delete(comment.id)
  tellOfComment(scene, comment, 'deleted')
}

function tellOfComment(scene: Scene, comment: Comment, action: string, more: object = {}): void {
  const { store, repository } = scene
  const issue = findIssue(repository, comment.issue)
  if (issue === undefined) return
  tell(scene, 'issue_comment', {
    action,
    issue: presentIssue(store, repository, issue),
    comment: presentComment(store, repository, comment),
    ...more,
  })
}
