import { z } from 'zod'
import { errorTypeSchema, remedySchema } from '../../../packages/diagnosis/diagnosis.ts'
import type { Stored } from '../../../packages/text/text.ts'

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

/** True without invisible characters or a second line. */
export const isPlainFix = ({ signature, fix }: Pick<KnownFix, 'signature' | 'fix'>): boolean =>
  !/\p{C}/u.test(signature + fix)

/** The outcome of one try of a fix. */
export type FixOutcome = Pick<KnownFix, 'signature' | 'type' | 'strategy' | 'fix'> & {
  readonly worked: boolean
}

/** A fact or a fix that a person wants no prompt to hold, and the time of the wish. */
export const forgottenSchema = z.object({
  id: z.string().regex(/^[0-9a-f]{8}$/),
  at: z.iso.datetime(),
})

export type Forgotten = Stored<typeof forgottenSchema>
