import { dismissReview, editReview, submitReview } from '../changes/review.ts'
import type { Scene } from '../exchange.ts'
import { mayAt, maySee } from '../permissions.ts'
import type { Identity, Pull, Review } from '../records.ts'
import type { Store } from '../store.ts'
import { failed } from './connection.ts'
import { forbidden, missingNode, readNodeId } from './node.ts'
import { reviewObject } from './pull-objects.ts'

interface ReviewInput {
  readonly pullRequestReviewId?: string | null
  readonly clientMutationId?: string | null
  readonly event?: 'APPROVE' | 'COMMENT' | 'DISMISS' | 'REQUEST_CHANGES'
  readonly body?: string | null
}

const states = {
  APPROVE: 'APPROVED',
  COMMENT: 'COMMENTED',
  REQUEST_CHANGES: 'CHANGES_REQUESTED',
} as const

/** Mutations of existing reviews. */
export function reviewMutationsOf(store: Store, viewer: Identity): object {
  const onReview =
    (
      name: string,
      change: (scene: Scene, pull: Pull, review: Review, input: ReviewInput) => void,
    ) =>
    ({ input }: { readonly input: ReviewInput }): object => {
      const { scene, pull, review } = findReview(store, viewer, input.pullRequestReviewId ?? '')
      const isOwn = review.author.id === viewer.id
      const isTheirDraft = review.state === 'PENDING' && !isOwn
      if (isTheirDraft || (!isOwn && !mayAt('write', scene.repository, viewer))) {
        throw forbidden(viewer, name)
      }
      change(scene, pull, review, input)
      const { clientMutationId } = input
      return { clientMutationId, pullRequestReview: reviewObject(scene, review) }
    }
  return {
    submitPullRequestReview: onReview('SubmitPullRequestReview', submit),
    updatePullRequestReview: onReview('UpdatePullRequestReview', (scene, pull, review, input) =>
      editReview(scene, pull, review, input.body ?? ''),
    ),
    dismissPullRequestReview: onReview('DismissPullRequestReview', (scene, pull, review) => {
      if (review.state === 'COMMENTED' || review.state === 'PENDING') {
        throw failed('UNPROCESSABLE', 'Can not dismiss a commented pull request review')
      }
      dismissReview(scene, pull, review)
    }),
  }
}

function submit(
  scene: Scene,
  pull: Pull,
  review: Review,
  { event = 'COMMENT', body }: ReviewInput,
): void {
  if (event === 'DISMISS' || review.state !== 'PENDING') {
    throw failed('UNPROCESSABLE', 'Could not submit pull request review')
  }
  if (event !== 'COMMENT' && pull.author.id === review.author.id) {
    const what = event === 'APPROVE' ? 'approve' : 'request changes on'
    throw failed('UNPROCESSABLE', `Can not ${what} your own pull request`)
  }
  submitReview(scene, pull, review, { state: states[event], body: body ?? review.body })
}

function findReview(
  store: Store,
  viewer: Identity,
  nodeId: string,
): { readonly scene: Scene; readonly pull: Pull; readonly review: Review } {
  const id = readNodeId('PullRequestReview', nodeId)
  for (const repository of store.repositories) {
    const review = id === null ? undefined : repository.reviews.get(id)
    const pull = review === undefined ? undefined : repository.pulls.get(review.pull)
    if (review === undefined || pull === undefined || !maySee(repository, viewer)) continue
    return { scene: { store, repository, viewer }, pull, review }
  }
  throw missingNode(nodeId)
}
