import type { Amendment, Attempt, Proposal } from '../../core/domain/run-state.ts'

/** The edit of the roadmap that a proposal is. */
export function amendmentOf({ task }: Attempt, proposal: Proposal, at: string): Amendment {
  const { id, fingerprint, title } = task
  const { strategy, reason, tasks } = proposal
  return { task: { id, fingerprint, title }, strategy, reason, at, tasks }
}
