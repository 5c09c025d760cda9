import type { RemarkRef } from '../../core/ports/discussion.ts'
import type { GitHubRepository } from './client.ts'
import { hasStatus, reasonOf } from './failure.ts'

/** A courtesy: GitHub keeps one of a kind from each account, and where it refuses that is only noted. */
export async function react(
  { target, log, perform }: GitHubRepository,
  { kind, id }: RemarkRef,
  content: 'eyes' | '+1' | '-1',
): Promise<void> {
  if (kind === 'review') return
  const reaction = { ...target, comment_id: id, content }
  try {
    await perform({
      kind: 'reaction',
      key: `${kind} ${id} ${content}`,
      detail: `${content} on ${kind} ${id}`,
      // Given twice, it is there once: no look is needed to tell.
      snapshot: 'unknown',
      read: async () => 'unknown',
      alreadyApplied: () => null,
      async apply({ reactions }) {
        if (kind === 'comment') await reactions.createForIssueComment(reaction)
        else await reactions.createForPullRequestReviewComment(reaction)
        return true
      },
      readDelays: [1],
    })
  } catch (error) {
    if (![403, 404, 422].some((status) => hasStatus(error, status))) throw error
    log(`No ${content} on ${kind} ${id}: ${reasonOf(error)}`)
  }
}
