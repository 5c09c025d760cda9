import { samePath } from './address.ts'
import { type BlockPart, refusedPart, wholePart } from './reply.ts'

/**
 * Blocks without a path get the expected one, if that is certain: edits, which have to fit the
 * file in any case; or one block alone, when nothing else in the answer is about that file. A sample
 * beside files is none.
 */
export function nameBlocks(
  parts: readonly BlockPart[],
  expectedPath: string,
): readonly BlockPart[] {
  const nameless = parts.filter(isNameless)
  const onlyEdits = nameless.every(({ kind }) => kind !== 'nameless')
  const isFree = !parts.some(({ path }) => samePath(path, expectedPath) !== null)
  const hasFiles = parts.some((part) => part.kind !== 'refused' && !isNameless(part))
  const meant = parts.filter((part) => !(hasFiles && part.kind === 'nameless' && part.isSample))
  return meant.map((part): BlockPart => {
    if (!isNameless(part)) return part
    if (expectedPath === '') return withoutPath(part)
    if (onlyEdits && part.kind !== 'nameless') return { ...part, path: expectedPath }
    return isFree && nameless.length === 1 && part.kind === 'nameless'
      ? wholePart(expectedPath, part.lines)
      : withoutPath(part)
  })
}

type Nameless = Extract<BlockPart, { readonly kind: 'nameless' | 'edits' | 'hunks' }>

const isNameless = (part: BlockPart): part is Nameless =>
  part.path === '' && (part.kind === 'nameless' || part.kind === 'edits' || part.kind === 'hunks')

function withoutPath(part: Nameless): BlockPart {
  const what = { hunks: 'a diff', edits: 'an edit', nameless: 'a code block' }[part.kind]
  const reason = `${what} without a path; put the file's path alone on the line before it`
  return refusedPart('', reason, linesOfPart(part))
}

function linesOfPart(part: Nameless): readonly string[] {
  if (part.kind === 'nameless') return part.lines
  if (part.kind === 'edits') return part.edits[0]?.search.split('\n') ?? []
  return part.hunks.flatMap(({ lines }) => lines.map(({ raw }) => raw))
}
