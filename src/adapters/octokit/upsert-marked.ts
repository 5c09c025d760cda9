import type { GitHubRepository } from './client.ts'
import { sameName, sameText } from './pull.ts'
import { untilListed, writeOnce } from './write-once.ts'

/** What of a comment tells whether it is ours. */
export interface MarkedComment {
  readonly id: number
  readonly body?: string | null
  readonly user: { readonly login: string } | null
}

/** Where comments of one kind are listed and written. */
export interface CommentPlace {
  /** Hundred of them, from page 1. */
  list(page: number): Promise<readonly MarkedComment[]>
  create(body: string): Promise<unknown>
  update(id: number, body: string): Promise<unknown>
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
  const { clock } = repository
  const text = withMarker(marker, body)
  const find = () => findMarked(repository, place, marker)
  const known = await find()
  if (known === null) {
    // After a failed answer, one that a look finds is ours and has this very text.
    await writeOnce({ write: () => place.create(text), find, looks: untilListed }, clock)
    return
  }
  if (sameText(known.body ?? '', text)) return
  const updated = async (): Promise<MarkedComment | null> => {
    const now = await find()
    return now !== null && sameText(now.body ?? '', text) ? now : null
  }
  await writeOnce<unknown>(
    { write: () => place.update(known.id, text), find: updated, looks: [1] },
    clock,
  )
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
