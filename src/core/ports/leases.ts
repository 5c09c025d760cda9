/** Leases on work, so that two concurrent runs neither pay for the same task nor obey one command twice. */
export type LeaseResult =
  | { readonly status: 'taken' }
  /** `by` names the holder in words that fit after "left alone: ", as "another run has it". */
  | { readonly status: 'held'; readonly by: string }

export interface Leases {
  /**
   * Reads the leases of others: `take` will know the work that they finish from now on. Call it before looking for
   * work.
   */
  look(): Promise<void>
  /**
   * Leases a piece of work for this run: a task's id, `comment-12` for a remark, `issue-12` for an issue. `held` when
   * a living run has it, or finished it since the last `look`. Takes over leases of dead runs.
   */
  take(name: string): Promise<LeaseResult>
  /** The work is done: no run may take it for now. */
  settle(name: string): Promise<void>
  /** The work is not done: the next run may take it. */
  release(name: string): Promise<void>
  /** Drops leases of any holder; returns those of living runs, which stay, one sentence each. */
  drop(names: readonly string[]): Promise<readonly string[]>
}

/** For a place without other runs: a laptop, a dry run. */
export const soleLeases: Leases = {
  look: async () => {},
  take: async () => ({ status: 'taken' }),
  settle: async () => {},
  release: async () => {},
  drop: async () => [],
}
