import type { Refusal } from '../../change/change.ts'
import type { Hunk } from './diff/hunk.ts'
import { findElision } from './markers.ts'
import { type Lines, shorten, textOfLines } from './text-lines.ts'

/** A replacement in a file. Each line of both sides ends with `\n`; `replace: ''` removes the lines. */
export interface Edit {
  readonly search: string
  readonly replace: string
  /** Both sides as a part of a line, when the form of the answer is not about lines. */
  readonly part?: { readonly search: string; readonly replace: string }
}

/** A change of one file that an answer requests. The path is as the model wrote it, unchecked. */
export type FileProposal =
  | { readonly kind: 'whole'; readonly path: string; readonly content: string }
  | { readonly kind: 'edits'; readonly path: string; readonly edits: readonly Edit[] }
  | { readonly kind: 'hunks'; readonly path: string; readonly hunks: readonly Hunk[] }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }

/** The meaning of a block or a line of prose. The path is empty when the answer gives none. */
export type BlockPart =
  | FileProposal
  | RefusedPart
  /** A file without a path. `isSample`: code that an answer shows next to its files. */
  | {
      readonly kind: 'nameless'
      readonly path: ''
      readonly lines: Lines
      readonly isSample: boolean
    }

export type BlockParts = readonly BlockPart[]

export interface RefusedPart extends Refusal {
  readonly kind: 'refused'
}

/** A model's answer, read but not yet compared with the repository. */
export interface Reply {
  readonly proposals: readonly FileProposal[]
  readonly refusals: readonly Refusal[]
  /** True when the answer has no file in it and says that there is nothing to do. */
  readonly claimsDone: boolean
  /** The answer's prose, shortened. */
  readonly summary: string
}

export const pathsOf = (proposal: FileProposal): readonly string[] =>
  proposal.kind === 'rename' ? [proposal.path, proposal.to] : [proposal.path]

export function withPaths(proposal: FileProposal, spell: (path: string) => string): FileProposal {
  const path = spell(proposal.path)
  return proposal.kind === 'rename'
    ? { ...proposal, path, to: spell(proposal.to) }
    : { ...proposal, path }
}

export function refusedPart(path: string | null, reason: string, lines: Lines = []): RefusedPart {
  return { kind: 'refused', path: path ?? '', reason, excerpt: shorten(lines) }
}

/** The whole file, unless the model omitted parts of it. */
export function wholePart(path: string, lines: Lines): BlockPart {
  const elision = lines[findElision(path, lines) - 1]
  if (elision !== undefined) return leftOutPart(path, elision)
  return { kind: 'whole', path, content: textOfLines(lines) }
}

export function leftOutPart(path: string | null, line: string): RefusedPart {
  const reason = 'the answer leaves code out; send the edit as SEARCH/REPLACE, or the file in full'
  return refusedPart(path, reason, [line])
}
