import type { RemarkRef } from '../../core/ports/discussion.ts'
import type { GitHubRepository } from './client.ts'
import { hasStatus } from './failure.ts'
import { upsertComment } from './upsert-comment.ts'
import { type CommentPlace, upsertMarked } from './upsert-marked.ts'
import { reviewComments } from './upsert-review-comment.ts'

/** Our answer with this marker: in the thread of a review comment, else in the conversation. */
export async function answer(
  repository: GitHubRepository,
  { kind, id, on }: RemarkRef,
  marker: string,
  body: string,
): Promise<void> {
  if (kind !== 'review_comment') return upsertComment(repository, on, marker, body)
  const { octokit, target } = repository
  const place: CommentPlace = {
    ...reviewComments(repository, on),
    /** GitHub takes answers to the first of a thread only. */
    async create({ pulls }, text) {
      const { data } = await octokit.pulls.getReviewComment({ ...target, comment_id: id })
      const thread = { ...target, pull_number: on, comment_id: data.in_reply_to_id ?? id }
      await pulls.createReplyForReviewComment({ ...thread, body: text })
    },
  }
  try {
    await upsertMarked(repository, place, marker, body)
  } catch (error) {
    if (!hasStatus(error, 404)) throw error
    await upsertComment(repository, on, marker, body)
  }
}
