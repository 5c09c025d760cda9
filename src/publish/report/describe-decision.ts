/** Describes a decision and who made it: `approved by ada`, `waits for an answer`. */
export function describeDecision(decision: string, by: string): string {
  if (decision === 'waiting') return 'waits for an answer'
  // Without an approver, a proposal is only written down.
  return decision === 'logged' ? 'noted, not carried out' : `${decision} by ${by}`
}
