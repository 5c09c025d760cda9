import type { Refusal } from '../../core/domain/change-set.ts'

/** More edits or hunks than this for one file are a whole file, or an attack. */
export const mostEdits = 1_000
/** Refusals that get the closest lines of the file with them; each costs a walk through the file. */
export const mostExcerpts = 20

/** A text with the edits made that could be made. */
export interface Edited {
  readonly text: string
  readonly refusals: readonly Refusal[]
  /** Parts of the answer that were left out because the text already holds them. */
  readonly echoes: readonly Refusal[]
  readonly notes: readonly string[]
}
