import type { ServeRepository } from './serve-job.ts'

/** `runner: local`. */
export const serveHere: ServeRepository = async (_trigger, { owner, repo }) => ({
  status: 'failed',
  reason: `${owner}/${repo} asks for runner: local, which this version does not have yet`,
})
