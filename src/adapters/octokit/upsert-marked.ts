import { untilListed } from '../../core/perform-effect.ts'
import type { Octokit } from './client/octokit.ts'
import type { GitHubRepository } from './client.ts'
import { sameName, sameText } from './pull.ts'

/** What of a comment tells whether it is ours. */
export interface MarkedComment {
  readonly id: number
  readonly body?: string | null
  readonly user: { readonly login: string } | null
}

/** Where comments of one kind are listed and written. */
export interface CommentPlace {
  readonly kind: 'comment' | 'review_comment'
  /** The issue or pull request. */
  readonly on: number
  /** Hundred of them, from page 1. */
  list(page: number): Promise<readonly MarkedComment[]>
  create(octokit: Octokit, body: string): Promise<unknown>
  update(octokit: Octokit, id: number, body: string): Promise<unknown>
}

const pageSize = 100
const mostPages = 10

/** The marker is put first where it is not. */
export const withMarker = (marker: string, body: string): string =>
  body.startsWith(marker) ? body : `${marker}\n${body}`

/** Writes the comment that begins with the marker, or changes ours that does; nothing if it is the same. */
export async function upsertMarked(
  repository: GitHubRepository,
  place: CommentPlace,
  marker: string,
  body: string,
): Promise<void> {
  const text = withMarker(marker, body)
  const isFirst = place.kind === 'comment' && repository.uncommented.delete(place.on)
  await repository.perform<MarkedComment | null, true>({
    kind: place.kind,
    key: `#${place.on} ${marker}`,
    detail: `${text.length} characters`,
    read: () => findMarked(repository, place, marker),
    alreadyApplied: (comment) =>
      comment !== null && sameText(comment.body ?? '', text) ? true : null,
    async apply(octokit, comment) {
      if (comment === null) await place.create(octokit, text)
      else await place.update(octokit, comment.id, text)
      return true
    },
    readDelays: untilListed,
    ...(isFirst ? { snapshot: null } : {}),
  })
}

/** Ours with this marker. The marker alone is no proof: anyone can post it, so the author must be us. */
async function findMarked(
  { login }: GitHubRepository,
  place: Pick<CommentPlace, 'list'>,
  marker: string,
): Promise<MarkedComment | null> {
  const ours = await login()
  for (let page = 1; page <= mostPages; page++) {
    const listed = await place.list(page)
    const found = listed.find(
      ({ body, user }) => body?.startsWith(marker) && sameName(user?.login ?? '', ours),
    )
    if (found !== undefined) return found
    if (listed.length < pageSize) return null
  }
  return null
}
