import type { Refusal } from '../../core/domain/change-set.ts'

/** A text with the edits made that could be made. */
export interface Edited {
  readonly text: string
  readonly refusals: readonly Refusal[]
  /** Parts of the answer that were left out because the text already holds them. */
  readonly echoes: readonly Refusal[]
  readonly notes: readonly string[]
}
