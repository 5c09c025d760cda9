import type { Refusal } from '../../core/domain/change-set.ts'
import type { Hunk } from './diff/hunk.ts'
import type { Edit, FileProposal } from './reply.ts'

/** What a block, or a line of prose, comes to. */
export type BlockPart =
  | FileProposal
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** A file, edits or hunks without a path: `expectedPath` may supply it. */
  | {
      readonly kind: 'nameless'
      /** True for what an answer shows beside its files: how to use them, what they answer. */
      readonly isSample?: boolean
      readonly lines: readonly string[]
      readonly edits: readonly Edit[]
      readonly hunks: readonly Hunk[]
    }
