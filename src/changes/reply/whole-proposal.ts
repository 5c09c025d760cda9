import { findElision } from './find-elision.ts'
import type { BlockPart } from './part.ts'

/** The whole file, unless the model left parts of it out. */
export function wholeProposal(path: string, lines: readonly string[]): BlockPart {
  const elision = lines[findElision(path, lines) - 1]
  if (elision !== undefined) return leftOut(path, elision)
  return { kind: 'whole', path, content: lines.map((line) => `${line}\n`).join('') }
}

export function leftOut(path: string, line: string): BlockPart {
  const reason = 'the answer leaves code out; send the edit as SEARCH/REPLACE, or the file in full'
  return refusedBlock(path, reason, line)
}

export function refusedBlock(path: string, reason: string, excerpt: string): BlockPart {
  return { kind: 'refused', refusal: { path, reason, excerpt } }
}
