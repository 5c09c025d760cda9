import type { Strategy } from '../domain/run-state.ts'
import type { ApprovalMode } from '../domain/settings.ts'

/**
 * Whether a proposal is asked about, carried out, or only logged (graph.md, approval modes).
 * DEFER and SKIP change nothing outside the run, so without a person to ask they are carried
 * out; so is ESCALATE, whose pull request is itself the question. New tasks in the roadmap wait
 * for a person wherever the mode says so. `review_only` publishes nothing.
 */
export function mustAsk(
  strategy: Strategy,
  settings: { readonly approvalMode: ApprovalMode; readonly recovery: boolean },
  present: boolean,
): 'ask' | 'go' | 'log' {
  if (!settings.recovery) return 'log'
  const mode = settings.approvalMode
  if (strategy === 'DECOMPOSE' || strategy === 'REWRITE') {
    if (mode === 'review_only') return 'log'
    return mode === 'interactive' || (mode === 'approve_decompose' && strategy === 'DECOMPOSE')
      ? 'ask'
      : 'go'
  }
  if (mode === 'review_only') return strategy === 'ESCALATE' ? 'log' : 'go'
  return mode === 'interactive' && present ? 'ask' : 'go'
}
