import type { Scene } from '../exchange.ts'
import { presentPull } from '../present/pull.ts'
import { presentReview, presentReviewComment } from '../present/review.ts'
import type { Pull, Review, ReviewComment, ReviewThread } from '../records.ts'
import { tell } from '../webhooks.ts'
import type { Place } from './place.ts'

export interface InlineComment {
  readonly place: Place
  readonly body: string
}

/** Creates a review with line comments; a pending one sends its events once submitted. */
export function addReview(
  scene: Scene,
  pull: Pull,
  { state, body, commit }: Pick<Review, 'state' | 'body' | 'commit'>,
  comments: readonly InlineComment[],
): Review {
  const review = noteReview(scene, pull, { state, body, commit })
  for (const { place, body: text } of comments) startThread(scene, pull, place, text, review)
  return review
}

/** Publishes a pending review; its comments are older, and look edited. */
export function submitReview(
  scene: Scene,
  pull: Pull,
  review: Review,
  { state, body }: Pick<Review, 'state' | 'body'>,
): void {
  const now = scene.store.now()
  review.state = state
  review.body = body
  review.submittedAt = now
  review.updatedAt = now
  tellOfReview(scene, pull, review, 'submitted')
  for (const comment of scene.repository.reviewComments.values()) {
    if (comment.review !== review.id) continue
    comment.updatedAt = now
    tellOfComment(scene, comment, 'created')
  }
}

export function editReview(scene: Scene, pull: Pull, review: Review, body: string): void {
  const changes = { body: { from: review.body } }
  review.body = body
  review.updatedAt = scene.store.now()
  review.lastEditedAt = review.updatedAt
  tellOfReview(scene, pull, review, 'edited', { changes })
}

export function dismissReview(scene: Scene, pull: Pull, review: Review): void {
  review.state = 'DISMISSED'
  review.updatedAt = scene.store.now()
  tellOfReview(scene, pull, review, 'dismissed')
}

/** Creates a single comment on a line; GitHub wraps it in a review without text. */
export function addReviewComment(
  scene: Scene,
  pull: Pull,
  place: Place,
  body: string,
): ReviewComment {
  const review = noteReview(scene, pull, { state: 'COMMENTED', body: '', commit: place.commit })
  return startThread(scene, pull, place, body, review)
}

/** Adds a comment to a thread; it has its own review too. */
export function addReply(
  scene: Scene,
  pull: Pull,
  thread: ReviewThread,
  body: string,
): ReviewComment {
  const { commit } = thread
  const review = noteReview(scene, pull, { state: 'COMMENTED', body: '', commit })
  return noteComment(scene, pull, thread, scene.store.nextId(), body, review)
}

export function editReviewComment(scene: Scene, comment: ReviewComment, body: string): void {
  const changes = { body: { from: comment.body } }
  comment.body = body
  comment.updatedAt = scene.store.now()
  comment.lastEditedAt = comment.updatedAt
  tellOfComment(scene, comment, 'edited', { changes })
}

function noteReview(
  scene: Scene,
  pull: Pull,
  fields: Pick<Review, 'state' | 'body' | 'commit'>,
): Review {
  const { store, repository, viewer } = scene
  const now = store.now()
  const isPending = fields.state === 'PENDING'
  const review: Review = {
    ...{ id: store.nextId(), pull: pull.number, author: viewer, ...fields },
    ...{ createdAt: now, updatedAt: now, lastEditedAt: null },
    submittedAt: isPending ? null : now,
  }
  repository.reviews.set(review.id, review)
  if (!isPending) tellOfReview(scene, pull, review, 'submitted')
  return review
}

function tellOfReview(
  scene: Scene,
  pull: Pull,
  review: Review,
  action: 'submitted' | 'edited' | 'dismissed',
  more: object = {},
): void {
  const { store, repository } = scene
  pull.updatedAt = store.now()
  pull.reviewers = pull.reviewers.filter(({ id }) => id !== review.author.id)
  const presented = presentReview(store, repository, review)
  tell(scene, 'pull_request_review', {
    action,
    // Webhooks spell these differently from the API.
    review: { ...presented, state: review.state.toLowerCase(), body: review.body || null },
    pull_request: presentPull(store, repository, pull),
    ...more,
  })
}

function startThread(
  scene: Scene,
  pull: Pull,
  place: Place,
  body: string,
  review: Review,
): ReviewComment {
  const { path, side, line, startLine, commit, diffHunk, position } = place
  const thread: ReviewThread = {
    ...{ id: scene.store.nextId(), pull: pull.number, path, side, line, startLine, commit },
    ...{ originalLine: line, originalStartLine: startLine, originalCommit: commit, diffHunk },
    position,
    ...{ outdated: false, resolvedBy: null },
  }
  scene.repository.threads.set(thread.id, thread)
  return noteComment(scene, pull, thread, thread.id, body, review)
}

function noteComment(
  scene: Scene,
  pull: Pull,
  thread: ReviewThread,
  id: number,
  body: string,
  review: Review,
): ReviewComment {
  const now = scene.store.now()
  const comment: ReviewComment = {
    ...{ id, pull: pull.number, review: review.id, thread: thread.id, author: scene.viewer, body },
    ...{ createdAt: now, updatedAt: now, lastEditedAt: null },
  }
  scene.repository.reviewComments.set(id, comment)
  if (review.submittedAt !== null) tellOfComment(scene, comment, 'created')
  return comment
}

function tellOfComment(
  scene: Scene,
  comment: ReviewComment,
  action: string,
  more: object = {},
): void {
  const { store, repository } = scene
  const pull = repository.pulls.get(comment.pull)
  const thread = repository.threads.get(comment.thread)
  if (pull === undefined || thread === undefined) return
  tell(scene, 'pull_request_review_comment', {
    action,
    comment: presentReviewComment(store, repository, thread, comment),
    pull_request: presentPull(store, repository, pull),
    ...more,
  })
}
