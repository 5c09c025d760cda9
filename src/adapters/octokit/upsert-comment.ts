import type { GitHubRepository } from './client.ts'
import { type CommentPlace, upsertMarked } from './upsert-marked.ts'

/** Our comment with this marker in the conversation of an issue or a pull request. */
export async function upsertComment(
  repository: GitHubRepository,
  number: number,
  marker: string,
  body: string,
): Promise<void> {
  const { octokit, target } = repository
  const issue = { ...target, issue_number: number }
  const place: CommentPlace = {
    kind: 'comment',
    on: number,
    list: async (page) =>
      (await octokit.issues.listComments({ ...issue, per_page: 100, page })).data,
    create: ({ issues }, text) => issues.createComment({ ...issue, body: text }),
    update: ({ issues }, id, text) =>
      issues.updateComment({ ...target, comment_id: id, body: text }),
  }
  await upsertMarked(repository, place, marker, body)
}
