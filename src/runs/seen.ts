import type { AdoptedIssue } from '../core/domain/answer.ts'
import type { PullRequest } from '../core/ports/forge.ts'
import type { Standing } from '../roadmap/standing/find-standing.ts'
import type { CommandContext } from './commands/ordered.ts'

/** What is true when a part of a pass begins, read at once. */
export interface Seen extends CommandContext {
  /** The commit of the default branch. */
  readonly base: string
  /** Ours, in any state, newest first. */
  readonly pullRequests: readonly PullRequest[]
  readonly issues: readonly AdoptedIssue[]
  readonly standing: () => Promise<Standing>
}

/** Comments are looked through so far back, in seconds. */
export const fortnight = 14 * 24 * 3600
