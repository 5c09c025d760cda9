import type { GitHubRepository } from './client.ts'
import { sameName, sameText } from './pull.ts'
import { untilListed, writeOnce } from './write-once.ts'

interface Comment {
  readonly id: number
  readonly body?: string
  readonly user: { readonly login: string } | null
}

const pageSize = 100
const mostPages = 10

/**
 * Writes the comment that begins with the marker, or changes ours that does. The marker alone is no
 * proof: anyone can post it, so the author must be us too. The marker is put first where it is not.
 */
export async function upsertComment(
  repository: GitHubRepository,
  pullRequest: number,
  marker: string,
  body: string,
): Promise<void> {
  const { octokit, target, clock } = repository
  const text = body.startsWith(marker) ? body : `${marker}\n${body}`
  const find = () => findComment(repository, pullRequest, marker)
  const known = await find()
  if (known === null) {
    const create = async (): Promise<Comment> =>
      (await octokit.issues.createComment({ ...target, issue_number: pullRequest, body: text }))
        .data
    // After a failed answer, one that a look finds is ours and has this very text.
    await writeOnce({ write: create, find, looks: untilListed }, clock)
    return
  }
  if (sameText(known.body ?? '', text)) return
  const update = async (): Promise<Comment> =>
    (await octokit.issues.updateComment({ ...target, comment_id: known.id, body: text })).data
  const updated = async (): Promise<Comment | null> => {
    const now = await find()
    return now !== null && sameText(now.body ?? '', text) ? now : null
  }
  await writeOnce({ write: update, find: updated, looks: [1] }, clock)
}

async function findComment(
  { octokit, target, login }: GitHubRepository,
  pullRequest: number,
  marker: string,
): Promise<Comment | null> {
  const ours = await login()
  for (let page = 1; page <= mostPages; page++) {
    const { data } = await octokit.issues.listComments({
      ...target,
      issue_number: pullRequest,
      per_page: pageSize,
      page,
    })
    const found = data.find(
      ({ body, user }) => body?.startsWith(marker) && sameName(user?.login ?? '', ours),
    )
    if (found !== undefined) return found
    if (data.length < pageSize) return null
  }
  return null
}
