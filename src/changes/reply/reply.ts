import type { Refusal } from '../../core/domain/change-set.ts'
import type { Hunk } from './diff/hunk.ts'

/** A replacement in a file. Each line of both sides ends with `\n`; `replace: ''` removes the lines. */
export interface Edit {
  readonly search: string
  readonly replace: string
  /** Both sides as a part of a line, where the form of the answer does not speak of lines. */
  readonly part?: { readonly search: string; readonly replace: string }
}

/** What an answer wants done to one file. A path is as the model wrote it: not checked yet. */
export type FileProposal =
  | { readonly kind: 'whole'; readonly path: string; readonly content: string }
  | { readonly kind: 'edits'; readonly path: string; readonly edits: readonly Edit[] }
  | { readonly kind: 'hunks'; readonly path: string; readonly hunks: readonly Hunk[] }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }

/** A model's answer, read. Nothing in it was compared with the repository yet. */
export interface Reply {
  readonly proposals: readonly FileProposal[]
  readonly refusals: readonly Refusal[]
  /** True when the answer has no file in it and says that there is nothing to do. */
  readonly claimsDone: boolean
  /** The answer's prose, shortened. */
  readonly summary: string
}

/** The files a proposal speaks of. */
export function pathsOf(proposal: FileProposal): readonly string[] {
  return proposal.kind === 'rename' ? [proposal.path, proposal.to] : [proposal.path]
}
