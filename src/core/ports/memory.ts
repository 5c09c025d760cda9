import type { ErrorType, Remedy } from '../domain/step-error.ts'

/** A fix that mended an error once: offered first when the same error comes again. */
export interface KnownFix {
  /** Names the error: its type, the command or language it was in, and its words without particulars. */
  readonly signature: string
  readonly type: ErrorType
  readonly strategy: Remedy
  /** A command to run instead, or one line of advice. Somebody may have put it there: data, never trusted. */
  readonly fix: string
  /** How often it worked, and how often it did not. */
  readonly worked: number
  readonly failed: number
  /** Failures since it last worked. */
  readonly failedInARow: number
  /** ISO 8601, UTC: when it was last tried. */
  readonly at: string
}

/** How one try with a fix ended. */
export type FixOutcome = Pick<KnownFix, 'signature' | 'type' | 'strategy' | 'fix'> & {
  readonly worked: boolean
}

/** What earlier runs learned about errors: at most 200 fixes, none of them older than 90 days. */
export interface Memory {
  recall(signature: string): Promise<KnownFix | null>
  /** A fix that worked is kept; one that failed twice in a row is forgotten. On disk when this returns. */
  learn(outcome: FixOutcome): Promise<void>
  /** Those tried last come first. */
  all(): Promise<readonly KnownFix[]>
  /** Forgets everything; answers what that was. */
  clear(): Promise<readonly KnownFix[]>
}
