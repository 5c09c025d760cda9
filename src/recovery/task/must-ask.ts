import type { Proposal } from '../../core/domain/run-state.ts'
import type { ApprovalMode } from '../../core/domain/settings.ts'

/**
 * Whether a proposal is asked about, carried out, or only logged (graph.md, approval modes).
 * DEFER and SKIP change nothing outside the run, so without a person to ask they are carried
 * out; so is ESCALATE, whose pull request is itself the question. New tasks in the roadmap wait
 * for a person wherever the mode says so, and those that a person wished for everywhere but in
 * `auto`. `review_only` publishes nothing that nobody asked for.
 */
export function mustAsk(
  { strategy, wish }: Pick<Proposal, 'strategy' | 'wish'>,
  settings: { readonly approvalMode: ApprovalMode; readonly recovery: boolean },
  present: boolean,
): 'ask' | 'go' | 'log' {
  const mode = settings.approvalMode
  if (wish !== undefined) return mode === 'auto' || strategy === 'DEFER' ? 'go' : 'ask'
  if (!settings.recovery) return 'log'
  if (strategy === 'DECOMPOSE' || strategy === 'REWRITE') {
    if (mode === 'review_only') return 'log'
    return mode === 'interactive' || (mode === 'approve_decompose' && strategy === 'DECOMPOSE')
      ? 'ask'
      : 'go'
  }
  if (mode === 'review_only') return strategy === 'ESCALATE' ? 'log' : 'go'
  return mode === 'interactive' && present ? 'ask' : 'go'
}
