import { z } from 'zod'
import { errorTypeSchema, remedySchema } from '../domain/step-error.ts'
import type { Stored } from '../domain/stored.ts'

/** In characters. */
export const longestFix = 400

const line = z.string().min(1).max(longestFix)
const times = z.int().nonnegative()

/** A fix that solved an error once: offered first when the same error returns. */
export const knownFixSchema = z.object({
  /** Identifies the error: its type, its command or language, and its words without particulars. */
  signature: line,
  type: errorTypeSchema,
  strategy: remedySchema,
  /** A command to run instead, or one line of advice. Others may have written it: untrusted data. */
  fix: line,
  /** How often it worked, and how often it failed. */
  worked: times,
  failed: times,
  /** Failures since it last worked. */
  failedInARow: times,
  /** ISO 8601, UTC: its last try. */
  at: z.iso.datetime(),
})

export type KnownFix = Stored<typeof knownFixSchema>

/** The outcome of one try of a fix. */
export type FixOutcome = Pick<KnownFix, 'signature' | 'type' | 'strategy' | 'fix'> & {
  readonly worked: boolean
}

/** Fixes that earlier runs learned: at most 200, each at most 90 days old. */
export interface Memory {
  recall(signature: string): Promise<KnownFix | null>
  /** Keeps a fix that worked; forgets one that failed twice in a row. On disk when this returns. */
  learn(outcome: FixOutcome): Promise<void>
  /** Most recently tried first. */
  all(): Promise<readonly KnownFix[]>
  /** Forgets everything; returns the forgotten fixes. */
  clear(): Promise<readonly KnownFix[]>
}
