import { type MergeState, reviewDecisionOf, shownMergeState } from '../merge-state.ts'
import { reviewCommentPage, reviewPage } from '../present/review.ts'
import { nodeId } from '../present/user.ts'
import { publishedAt, publishedComments, publishedReviews, publishedThreads } from '../published.ts'
import type { Pull, Review, ReviewComment, ReviewThread } from '../records.ts'
import { sameName } from '../store.ts'
import { connection, type Page, type RestOfField } from './connection.ts'
import {
  actorObject,
  commitObject,
  issueFields,
  type Place,
  refObject,
  textFields,
} from './objects.ts'

export const pullObject = (place: Place, pull: Pull): object => ({
  __typename: 'PullRequest',
  id: nodeId('PullRequest', pull.id),
  ...issueFields(place, pull),
  state: pull.merged === null ? pull.state.toUpperCase() : 'MERGED',
  isCrossRepository: false,
  isDraft: pull.draft,
  baseRefName: pull.base,
  baseRefOid: pull.baseSha,
  headRefName: pull.head,
  headRefOid: pull.headSha,
  ...mergeFields(place, pull),
  ...reviewFields(place, pull),
  async headRef() {
    const sha = (await place.repository.git.refs()).get(`refs/heads/${pull.head}`)
    return sha === undefined ? null : refObject(place, pull.head, sha)
  },
  async commits(page: Page, ...rest: RestOfField) {
    const range = `${pull.baseSha}..${pull.headSha}`
    const list = await place.repository.git.output('rev-list', '--reverse', range)
    const shas = list.split('\n').filter(Boolean)
    const present = ({ id }: { readonly id: string }): object => ({
      id: `PRC_${pull.id}_${id}`,
      commit: commitObject(place, id),
    })
    return connection(
      shas.map((id) => ({ id })),
      present,
    )(page, ...rest)
  },
})

function mergeFields(place: Place, pull: Pull): object {
  const { repository } = place
  const { merged, autoMerge } = pull
  let looked: Promise<MergeState | null> | undefined
  const look = (): Promise<MergeState | null> => {
    looked ??= pull.state === 'open' ? shownMergeState(repository, pull) : Promise.resolve(null)
    return looked
  }
  return {
    merged: merged !== null,
    mergedAt: merged?.at ?? null,
    mergedBy: merged === null ? null : actorObject(place, merged.by),
    mergeCommit: merged === null ? null : commitObject(place, merged.sha),
    async mergeable() {
      const state = await look()
      if (state === null) return 'UNKNOWN'
      return state.conflicts ? 'CONFLICTING' : 'MERGEABLE'
    },
    mergeStateStatus: async () => (await look())?.status ?? 'UNKNOWN',
    autoMergeRequest:
      autoMerge === null
        ? null
        : {
            commitBody: autoMerge.message,
            commitHeadline: autoMerge.title,
            enabledAt: autoMerge.at,
            enabledBy: actorObject(place, autoMerge.by),
            mergeMethod: autoMerge.method.toUpperCase(),
          },
  }
}

interface ReviewFilter extends Page {
  readonly author?: string | null
  readonly states?: readonly string[] | null
}

function reviewFields(place: Place, pull: Pull): object {
  const { repository } = place
  const reviews = publishedReviews(repository, pull)
  const threads = publishedThreads(repository, pull)
  return {
    reviewDecision: () => reviewDecisionOf(repository, pull),
    reviews(filter: ReviewFilter, ...rest: RestOfField) {
      const { author, states } = filter
      const chosen = reviews
        .filter((review) => author == null || sameName(review.author.login, author))
        .filter((review) => states == null || states.includes(review.state))
      return connection(chosen, (review) => reviewObject(place, review))(filter, ...rest)
    },
    reviewThreads: connection(threads, (thread) => threadObject(place, thread)),
  }
}

export const reviewObject = (place: Place, review: Review): object => ({
  __typename: 'PullRequestReview',
  id: nodeId('PullRequestReview', review.id),
  ...textFields(place, review),
  body: review.body,
  state: review.state,
  submittedAt: review.submittedAt,
  commit: commitObject(place, review.commit),
  url: reviewPage(place.store, place.repository, review),
})

export function threadObject(place: Place, thread: ReviewThread): object {
  const comments = publishedComments(place.repository).filter(
    (comment) => comment.thread === thread.id,
  )
  return {
    __typename: 'PullRequestReviewThread',
    id: nodeId('PullRequestReviewThread', thread.id),
    comments: connection(comments, (comment) => reviewCommentObject(place, thread, comment)),
    diffSide: thread.side,
    isOutdated: thread.outdated,
    isResolved: thread.resolvedBy !== null,
    resolvedBy: thread.resolvedBy === null ? null : actorObject(place, thread.resolvedBy),
    path: thread.path,
    line: thread.line,
    originalLine: thread.originalLine,
    startLine: thread.startLine,
    originalStartLine: thread.originalStartLine,
  }
}

export function reviewCommentObject(
  place: Place,
  thread: ReviewThread,
  comment: ReviewComment,
): object {
  const { repository } = place
  const review = repository.reviews.get(comment.review)
  const first = repository.reviewComments.get(thread.id)
  const isFirst = first === undefined || comment.id === first.id
  return {
    __typename: 'PullRequestReviewComment',
    id: nodeId('PullRequestReviewComment', comment.id),
    ...textFields(place, comment),
    body: comment.body,
    publishedAt: publishedAt(repository, comment),
    path: thread.path,
    line: thread.line,
    originalLine: thread.originalLine,
    outdated: thread.outdated,
    diffHunk: thread.diffHunk,
    commit: commitObject(place, thread.commit),
    originalCommit: commitObject(place, thread.originalCommit),
    pullRequestReview: review === undefined ? null : reviewObject(place, review),
    replyTo: isFirst ? null : () => reviewCommentObject(place, thread, first),
    url: reviewCommentPage(place.store, repository, comment),
  }
}
