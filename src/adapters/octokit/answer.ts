import type { RemarkRef } from '../../ports/discussion.ts'
import type { GitHubRepository } from './client.ts'
import { hasStatus } from './failure.ts'
import { upsertComment } from './upsert-comment.ts'
import { upsertMarked } from './upsert-marked.ts'
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
  /** GitHub takes answers to the first of a thread only. */
  const create = async (text: string): Promise<void> => {
    const { data } = await octokit.pulls.getReviewComment({ ...target, comment_id: id })
    const thread = { ...target, pull_number: on, comment_id: data.in_reply_to_id ?? id }
    await octokit.pulls.createReplyForReviewComment({ ...thread, body: text })
  }
  try {
    await upsertMarked(repository, { ...reviewComments(repository, on), create }, marker, body)
  } catch (error) {
    if (!hasStatus(error, 404)) throw error
    await upsertComment(repository, on, marker, body)
  }
}
