import { isBefore, secondsBefore } from '../../core/domain/instant.ts'
import { nameRemark, readReply } from '../../core/domain/reply-marker.ts'
import type { Author, Remark } from '../../core/ports/discussion.ts'
import { commandOf } from '../triggers/parse-command.ts'
import { isSuperseded } from './find-unanswered.ts'

/** How long an approval waits for what it needs, in seconds. */
const week = 7 * 24 * 3600

export const isTooOld = (remark: Pick<Remark, 'createdAt'>, now: string): boolean =>
  isBefore(remark.createdAt, secondsBefore(now, week))

interface Said {
  readonly remarks: readonly Remark[]
}

/** The commits that our replies recorded as approved while their remarks wait, by the name of the remark. */
function recordedIn({ remarks }: Said): ReadonlyMap<string, string> {
  const replies = remarks.flatMap(({ isOurs, body }) => {
    const reply = isOurs ? readReply(body) : null
    return reply?.approved ? [[nameRemark(reply.to), reply.approved] as const] : []
  })
  return new Map(replies)
}

/** The commit that our reply to this remark recorded as approved while it was waiting. */
export const approvedBefore = (remark: Remark, said: Said): string | null =>
  recordedIn(said).get(nameRemark(remark)) ?? null

/**
 * The newest approval of a pull request that was taken and still waits: recorded by our reply, by a remark that is
 * there, approves, and is unedited and not too old.
 *
 * @param remarks of the repository, ours and reviews included
 */
export function findApproval(
  pullRequest: number,
  said: Said & { readonly now: string },
): { readonly sha: string; readonly by: Author } | null {
  const own = said.remarks.filter(({ on }) => on === pullRequest)
  const recorded = recordedIn({ ...said, remarks: own })
  const waiting = own.flatMap((remark) => {
    const sha = recorded.get(nameRemark(remark))
    const command = commandOf(remark)
    const counts =
      command?.name === 'approve' &&
      (command.sha ?? sha) === sha &&
      remark.createdAt === remark.updatedAt &&
      !isTooOld(remark, said.now) &&
      !isSuperseded(remark, own)
    return sha !== undefined && counts ? [{ sha, by: remark.author, at: remark.createdAt }] : []
  })
  const newest = waiting.toSorted((a, b) => a.at.localeCompare(b.at)).at(-1)
  return newest === undefined ? null : { sha: newest.sha, by: newest.by }
}
