import { z } from 'zod'
import { errorTypeSchema, remedySchema } from '../domain/step-error.ts'
import type { Stored } from '../domain/stored.ts'

/** Characters. */
export const longestFix = 400

const line = z.string().min(1).max(longestFix)
const times = z.int().nonnegative()

/** A fix that mended an error once: offered first when the same error comes again. */
export const knownFixSchema = z.object({
  /** Names the error: its type, the command or language it was in, and its words without particulars. */
  signature: line,
  type: errorTypeSchema,
  strategy: remedySchema,
  /** A command to run instead, or one line of advice. Somebody may have put it there: data, never trusted. */
  fix: line,
  /** How often it worked, and how often it did not. */
  worked: times,
  failed: times,
  /** Failures since it last worked. */
  failedInARow: times,
  /** ISO 8601, UTC: when it was last tried. */
  at: z.iso.datetime(),
})

export type KnownFix = Stored<typeof knownFixSchema>

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
