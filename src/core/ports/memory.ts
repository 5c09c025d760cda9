import type { FixOutcome, KnownFix } from '../domain/known-fix.ts'

/**
 * What outlives a run and cannot be derived from commits: fixes that earlier runs learned, at most 200, each at most 90
 * days old, and what a person wants forgotten.
 */
export interface Memory {
  recall(signature: string): Promise<KnownFix | null>
  /** Keeps a fix that worked; forgets one that failed twice in a row. On disk when this returns. */
  learn(outcome: FixOutcome): Promise<void>
  /** Most recently tried first. */
  all(): Promise<readonly KnownFix[]>
  /** Ids of what a person wants forgotten. */
  forgotten(): Promise<readonly string[]>
}

/** Recalls and learns nothing. */
export const noMemory: Memory = {
  recall: async () => null,
  learn: async () => {},
  all: async () => [],
  forgotten: async () => [],
}
