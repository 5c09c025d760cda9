import type { RemarkRef } from '../../ports/discussion.ts'
import type { GitHubRepository } from './client.ts'
import { hasStatus, reasonOf } from './failure.ts'
import { writeOnce } from './write-once.ts'

/** A courtesy: GitHub keeps one of a kind from each account, and where it refuses that is only noted. */
export async function react(
  { octokit, target, clock, log }: GitHubRepository,
  { kind, id }: RemarkRef,
  content: 'eyes' | '+1' | '-1',
): Promise<void> {
  if (kind === 'review') return
  const reaction = { ...target, comment_id: id, content }
  const write = () =>
    kind === 'comment'
      ? octokit.reactions.createForIssueComment(reaction)
      : octokit.reactions.createForPullRequestReviewComment(reaction)
  try {
    await writeOnce<unknown>({ write, find: async () => null, looks: [1] }, clock)
  } catch (error) {
    if (![403, 404, 422].some((status) => hasStatus(error, status))) throw error
    log(`No ${content} on ${kind} ${id}: ${reasonOf(error)}`)
  }
}
