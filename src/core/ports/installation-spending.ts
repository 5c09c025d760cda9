import type { Amount } from './ledger.ts'

/** What the runs of an installation's repositories have spent on a day, over all processes of the App. Days are `2026-01-02`, UTC. */
export interface InstallationSpending {
  /** Notes the sum of a repository's day so far. A lower sum than the known one changes nothing. */
  note(
    of: { readonly installation: number; readonly repository: string; readonly day: string },
    sum: Amount,
  ): Promise<void>
  on(installation: number, day: string): Promise<Amount>
}
