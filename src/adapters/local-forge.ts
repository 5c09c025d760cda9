import type { Forge } from '../ports.ts'

/** A repository without a forge: the branches are all there is. */
export function createLocalForge(): Forge {
  return {
    kind: 'local',
    pullRequests: async () => [],
    upsertPullRequest: async () => ({ status: 'ok', value: null }),
    upsertComment: async () => ({ status: 'ok', value: null }),
  }
}
