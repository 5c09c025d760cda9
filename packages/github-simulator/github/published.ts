import type { Identity, Pull, Review, ReviewComment, ReviewThread } from './records.ts'
import type { Repository } from './store.ts'

/** Until it is submitted, a review is seen by its author alone. */
export const publishedReviews = (
  { reviews }: Repository,
  { number }: Pick<Pull, 'number'>,
  viewer: Identity | null = null,
): readonly Review[] =>
  [...reviews.values()].filter(
    ({ pull, submittedAt, author }) =>
      pull === number && (submittedAt !== null || author.id === viewer?.id),
  )

/** Comments of reviews that are submitted, of the whole repository. */
export const publishedComments = (repository: Repository): readonly ReviewComment[] =>
  [...repository.reviewComments.values()].filter(
    (comment) => publishedAt(repository, comment) !== null,
  )

export const publishedThreads = (
  repository: Repository,
  { number }: Pick<Pull, 'number'>,
): readonly ReviewThread[] => {
  const seen = new Set(publishedComments(repository).map(({ thread }) => thread))
  return [...repository.threads.values()].filter(({ pull, id }) => pull === number && seen.has(id))
}

/** When others could first read it. */
export const publishedAt = (
  { reviews }: Repository,
  { review }: Pick<ReviewComment, 'review'>,
): string | null => reviews.get(review)?.submittedAt ?? null
