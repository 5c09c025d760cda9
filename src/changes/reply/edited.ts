import type { Refusal } from '../../core/domain/change-set.ts'

/** A text with the edits made that could be made. */
export interface Edited {
  readonly text: string
  readonly refusals: readonly Refusal[]
  readonly notes: readonly string[]
}
