import { z } from 'zod'
import { object, type Stored, text, texts } from '../text/text.ts'
import { type ChangeSet, fileChangeSchema, refusalSchema } from './change-set.ts'

/** A lock file that the package manager made from the changed manifest, and the command that made it. */
const renewedLockSchema = object({ change: fileChangeSchema, command: text })

export type RenewedLock = Stored<typeof renewedLockSchema>

export const draftSchema = object({
  changes: z.array(fileChangeSchema),
  refusals: z.array(refusalSchema),
  /** True when the answer said there is nothing to do. */
  claimsDone: z.boolean(),
  /** The answer's prose, for the commit and PR body. */
  summary: text,
  /** What reading the answer tolerated or left out, in sentences. */
  notes: texts,
  /** The notes that a person must see: parts left out or lost. */
  warnings: texts.optional(),
  /** True when the answer was truncated at its length limit. */
  isCut: z.boolean().optional(),
  /** What the agent that made it could reach beyond the model, in words; absent for nothing. */
  reached: text.optional(),
  /** Lock files that we renewed for these changes; absent until `write_files` has checked. */
  locks: z.array(renewedLockSchema).optional(),
})

export type Draft = Stored<typeof draftSchema>

/** All changes of a draft: the model's own, and the lock files that we renewed in place of its. */
export function changesOf(draft: Pick<Draft, 'changes' | 'locks'> | null): ChangeSet {
  const locks = (draft?.locks ?? []).map(({ change }) => change)
  const ours = new Set(locks.map(({ path }) => path))
  return [...(draft?.changes ?? []).filter(({ path }) => !ours.has(path)), ...locks]
}
