import type { ChangeSet, Refusal } from '../domain/change-set.ts'
import { checkPath } from '../safety/check-path.ts'
import { addressWithin, samePath } from './address.ts'
import { applyEdits } from './apply-edits.ts'
import { changeBetween } from './change-between.ts'
import { shorten } from './excerpt.ts'
import type { Proposal, Reply } from './reply.ts'
import { inTheStyleOf, linesOf } from './text-lines.ts'

export interface Applied {
  readonly changes: ChangeSet
  readonly refusals: readonly Refusal[]
  /** What was overlooked or is worth a second look, in sentences. */
  readonly notes: readonly string[]
}

/** A file as it stands after some of the proposals for it. */
interface Standing {
  readonly text: string | undefined
  readonly refusals: readonly Refusal[]
  readonly notes: readonly string[]
}

/**
 * Makes an answer's proposals in memory, in order, into one change per file. What does not fit
 * is refused with its reason; nothing is guessed.
 *
 * @param read the file's present text, by repository-relative path; `undefined`: there is none
 */
export function applyReply(reply: Reply, read: (path: string) => string | undefined): Applied {
  const refusals: Refusal[] = []
  const byPath = new Map<string, Proposal[]>()
  for (const proposal of reply.proposals) {
    const checked = checkPath(proposal.path)
    if (checked.status === 'refused') {
      refusals.push({ path: proposal.path, reason: checked.reason, excerpt: '' })
      continue
    }
    const known = byPath.get(checked.path)
    if (known) known.push(proposal)
    else byPath.set(checked.path, [proposal])
  }
  const changed = [...byPath].map(([path, proposals]) => applyToFile(path, proposals, read(path)))
  return {
    changes: changed.flatMap((file) => file.changes),
    refusals: [...refusals, ...changed.flatMap((file) => file.refusals)],
    notes: changed.flatMap((file) => file.notes),
  }
}

function applyToFile(
  path: string,
  proposals: readonly Proposal[],
  before: string | undefined,
): Applied {
  const refusals: (readonly Refusal[])[] = []
  const notes: (readonly string[])[] = []
  let text = before
  for (const proposal of proposals) {
    const standing = applyProposal(path, proposal, text)
    text = standing.text
    refusals.push(standing.refusals)
    notes.push(standing.notes)
  }
  const change = changeBetween(path, before, text)
  if (change === null && refusals.flat().length === 0) {
    refusals.push([{ path, reason: 'changed nothing: the file already is like this', excerpt: '' }])
  }
  return { changes: change ? [change] : [], refusals: refusals.flat(), notes: notes.flat() }
}

function applyProposal(path: string, proposal: Proposal, text: string | undefined): Standing {
  switch (proposal.kind) {
    case 'whole':
      return replaceWhole(path, proposal.content, text)
    case 'delete':
      return text === undefined
        ? refuse(path, text, 'there is no such file to delete')
        : { text: undefined, refusals: [], notes: [] }
    case 'edits': {
      const [first] = proposal.edits
      if (text !== undefined) return applyEdits(path, text, proposal.edits)
      if (proposal.edits.length === 1 && first?.search.trim() === '') {
        return replaceWhole(path, first.replace, text)
      }
      const excerpt = shorten(linesOf(first?.search ?? ''))
      return refuse(path, text, 'there is no such file to edit; send the whole file', excerpt)
    }
  }
}

function replaceWhole(path: string, content: string, text: string | undefined): Standing {
  if (text === undefined) {
    const isOpen = content !== '' && !content.endsWith('\n')
    return { text: isOpen ? `${content}\n` : content, refusals: [], notes: [] }
  }
  if (content.trim() === '' && text.trim() !== '') {
    return refuse(path, text, 'the file would be empty; to remove it, write DELETE: its path')
  }
  const kept = withAddress(path, content, text)
  const [had, has] = [linesOf(text).length, linesOf(kept).length]
  const notes = has * 3 < had ? [`${path}: shrinks from ${had} lines to ${has}`] : []
  return { text: inTheStyleOf(text, kept), refusals: [], notes }
}

/** A file that begins with a comment naming it keeps that line, which was read as the address. */
function withAddress(path: string, content: string, before: string): string {
  const old = linesOf(before)
  const address = addressWithin(old, false)
  if (address === null || samePath(address.path, path) === null) return content
  const line = old[address.line] ?? ''
  const lines = linesOf(content)
  if (lines[address.line] === line) return content
  return lines
    .toSpliced(address.line, 0, line)
    .map((each) => `${each}\n`)
    .join('')
}

function refuse(path: string, text: string | undefined, reason: string, excerpt = ''): Standing {
  return { text, refusals: [{ path, reason, excerpt }], notes: [] }
}
