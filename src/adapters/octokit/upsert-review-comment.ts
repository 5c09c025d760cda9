import type { ReviewCommentDraft } from '../../core/ports/forge.ts'
import type { GitHubRepository } from './client.ts'
import { type CommentPlace, upsertMarked } from './upsert-marked.ts'

/** Our comment with this marker on a line of the diff; GitHub refuses a line outside it with 422. */
export async function upsertReviewComment(
  repository: GitHubRepository,
  pullRequest: number,
  { marker, sha, path, line, body }: ReviewCommentDraft,
): Promise<void> {
  const place = { ...repository.target, pull_number: pullRequest, commit_id: sha, path, line }
  await upsertMarked(
    repository,
    {
      ...reviewComments(repository, pullRequest),
      create: ({ pulls }, text) =>
        pulls.createReviewComment({ ...place, side: 'RIGHT', body: text }),
    },
    marker,
    body,
  )
}

/** The comments on lines of a pull request; who makes one says where. */
export function reviewComments(
  { octokit, target }: GitHubRepository,
  pullRequest: number,
): Omit<CommentPlace, 'create'> {
  return {
    kind: 'review_comment',
    on: pullRequest,
    list: async (page) => {
      const pages = { pull_number: pullRequest, per_page: 100, page }
      return (await octokit.pulls.listReviewComments({ ...target, ...pages })).data
    },
    update: ({ pulls }, id, text) =>
      pulls.updateReviewComment({ ...target, comment_id: id, body: text }),
  }
}
