import type { Forge } from '../core/ports/forge.ts'

/** A repository without a forge, where branches are all there is. */
export function createLocalForge(): Forge {
  const nothing = async () => ({ status: 'ok', value: null }) as const
  const never = async () => {
    throw new Error('There is no forge here.')
  }
  return {
    kind: 'local',
    pullRequests: async () => [],
    pullRequest: async () => null,
    upsertPullRequest: nothing,
    upsertComment: nothing,
    upsertReviewComment: nothing,
    merge: never,
    checks: async () => 'none',
    close: nothing,
    retarget: nothing,
    label: nothing,
    upsertIssue: never,
  }
}
