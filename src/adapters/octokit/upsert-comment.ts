import type { GitHubRepository } from './client.ts'
import { upsertMarked } from './upsert-marked.ts'

/** Our comment with this marker in the conversation of an issue or a pull request. */
export async function upsertComment(
  repository: GitHubRepository,
  number: number,
  marker: string,
  body: string,
): Promise<void> {
  const { issues } = repository.octokit
  const issue = { ...repository.target, issue_number: number }
  const place = {
    list: async (page: number) =>
      (await issues.listComments({ ...issue, per_page: 100, page })).data,
    create: (text: string) => issues.createComment({ ...issue, body: text }),
    update: (id: number, text: string) =>
      issues.updateComment({ ...repository.target, comment_id: id, body: text }),
  }
  await upsertMarked(repository, place, marker, body)
}
