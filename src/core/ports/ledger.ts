import type { Usage } from '../domain/usage.ts'

/** Tokens and dollars. */
export interface Amount {
  readonly tokens: number
  readonly dollars: number
}

/** What the run has spent, and what requests that are under way may spend at most. */
export interface Account {
  readonly spent: Usage
  readonly reserved: Amount
}

/** An admitted request: it is settled once, whatever became of it. */
export interface Reservation<Plan> {
  readonly plan: Plan
  /** Returns what the request did not use, after `book` has recorded what it did. */
  settle(usage: Usage, book?: () => Promise<void>): Promise<void>
}

/** The budget of one run, which all of its lanes share. */
export interface Ledger {
  /**
   * Reserves the most that a request may spend. Where `plan` returns null, it waits until another request is settled,
   * and asks again; plans are made one at a time.
   */
  reserve<Plan>(
    plan: (account: Account) => Promise<{ readonly plan: Plan; readonly most: Amount } | null>,
  ): Promise<Reservation<Plan>>
  /** Books an answer that the journal had: it was paid for before. */
  book(usage: Usage): void
}
