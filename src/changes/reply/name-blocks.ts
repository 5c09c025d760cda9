import { samePath } from './address.ts'
import { shorten } from './excerpt.ts'
import type { BlockPart } from './part.ts'
import { wholeProposal } from './whole-proposal.ts'

/**
 * Blocks without a path get the expected one, if that is certain: edits, which have to fit the
 * file in any case; or one block alone, when nothing else in the answer is about that file. A sample
 * beside files is none.
 */
export function nameBlocks(
  parts: readonly BlockPart[],
  expectedPath: string,
): readonly BlockPart[] {
  const nameless = parts.filter((part) => part.kind === 'nameless')
  const onlyEdits = nameless.every((part) => part.edits.length > 0 || part.hunks.length > 0)
  const isFree = !parts.some((part) => samePath(pathOf(part), expectedPath) !== null)
  const hasFiles = parts.some((part) => part.kind !== 'refused' && part.kind !== 'nameless')
  const meant = parts.filter((part) => !(hasFiles && part.kind === 'nameless' && part.isSample))
  return meant.map((part): BlockPart => {
    if (part.kind !== 'nameless') return part
    if (expectedPath === '') return withoutPath(part)
    if (onlyEdits && part.hunks.length > 0) {
      return { kind: 'hunks', path: expectedPath, hunks: part.hunks }
    }
    if (onlyEdits) return { kind: 'edits', path: expectedPath, edits: part.edits }
    return isFree && nameless.length === 1
      ? wholeProposal(expectedPath, part.lines)
      : withoutPath(part)
  })
}

/** The path a part is about; empty when it has none. */
export function pathOf(part: BlockPart): string {
  if (part.kind === 'nameless') return ''
  return part.kind === 'refused' ? part.refusal.path : part.path
}

function withoutPath({
  lines,
  edits,
  hunks,
}: BlockPart & { readonly kind: 'nameless' }): BlockPart {
  const what = hunks.length > 0 ? 'a diff' : edits.length > 0 ? 'an edit' : 'a code block'
  const shown = edits[0] ? edits[0].search.split('\n') : lines
  const reason = `${what} without a path; put the file's path alone on the line before it`
  return { kind: 'refused', refusal: { path: '', reason, excerpt: shorten(shown) } }
}
