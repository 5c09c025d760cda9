/** Describes a decision and who made it: `approved by ada`, `waits for an answer`. */
export function describeDecision(decision: string, by: string): string {
  if (decision === 'waiting') return 'waits for an answer'
  // Without an approver, the run only records a proposal.
  return decision === 'logged' ? 'noted, not carried out' : `${decision} by ${by}`
}
