/**
 * Who works on what: so that two runs at once do not pay for the same task, or obey one command twice.
 */
export type LeaseResult =
  | { readonly status: 'taken' }
  /** `by`: "another run has it" in words that fit behind "left alone: ". */
  | { readonly status: 'held'; readonly by: string }

export interface Leases {
  /**
   * Sees anew what others do: what they finish after this, `take` knows of. To be called before
   * looking at what there is to do.
   */
  look(): Promise<void>
  /**
   * Makes it this run's to do: a task's id, `comment-12` for a remark, `issue-12` for an issue. `held`
   * when a living run has it, or did it since the last look. What a dead run had is taken over.
   */
  take(name: string): Promise<LeaseResult>
  /** It was done, and is nobody's to do again for now. */
  settle(name: string): Promise<void>
  /** It was not done: whoever comes next may. */
  release(name: string): Promise<void>
  /** Takes leases away, whoever holds them; answers those of living runs, which stay, a sentence each. */
  drop(names: readonly string[]): Promise<readonly string[]>
}

/** Where nobody else is: a laptop, a dry run. */
export const soleLeases: Leases = {
  look: async () => {},
  take: async () => ({ status: 'taken' }),
  settle: async () => {},
  release: async () => {},
  drop: async () => [],
}
