import type { ChangeSet, Refusal } from '../../core/domain/change-set.ts'
import { checkPath } from '../gate/check-path.ts'
import { addressWithin, samePath } from './address.ts'
import { applyEdits } from './apply-edits.ts'
import { changeBetween } from './change-between.ts'
import { applyHunks } from './diff/apply-hunks.ts'
import type { Hunk } from './diff/hunk.ts'
import { shorten } from './excerpt.ts'
import { type Proposal, pathsOf, type Reply } from './reply.ts'
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

interface OpenFile {
  readonly path: string
  readonly before: string | undefined
  text: string | undefined
  readonly refusals: Refusal[]
  readonly notes: string[]
}

/**
 * Makes an answer's proposals in memory, in order, into one change per file. What does not fit
 * is refused with its reason; nothing is guessed. A renamed file is one that goes and one that
 * comes with the same text.
 *
 * @param read the file's present text, by repository-relative path; `undefined`: there is none
 */
export function applyReply(reply: Reply, read: (path: string) => string | undefined): Applied {
  const refusals: Refusal[] = []
  const files = new Map<string, OpenFile>()
  const open = (path: string): OpenFile => {
    const known = files.get(path)
    if (known) return known
    const before = read(path)
    const file = { path, before, text: before, refusals: [], notes: [] }
    files.set(path, file)
    return file
  }
  for (const proposal of reply.proposals) {
    const checks = pathsOf(proposal).map((path) => ({ path, checked: checkPath(path) }))
    const [first, second] = checks.flatMap(({ path, checked }) => {
      if (checked.status === 'ok') return [checked.path]
      refusals.push({ path, reason: checked.reason, excerpt: '' })
      return []
    })
    if (first === undefined || (proposal.kind === 'rename' && second === undefined)) continue
    if (proposal.kind === 'rename') rename(open(first), open(second ?? first))
    else stand(open(first), applyProposal(first, proposal, open(first).text))
  }
  const changed = [...files.values()].map(close)
  return {
    changes: changed.flatMap((file) => file.changes),
    refusals: [...refusals, ...changed.flatMap((file) => file.refusals)],
    notes: changed.flatMap((file) => file.notes),
  }
}

function stand(file: OpenFile, { text, refusals, notes }: Standing): void {
  file.text = text
  file.refusals.push(...refusals)
  file.notes.push(...notes)
}

function rename(from: OpenFile, to: OpenFile): void {
  const reason =
    from === to
      ? 'changed nothing: the new name is the old one'
      : from.text === undefined
        ? 'there is no such file to rename'
        : to.text === undefined
          ? null
          : `cannot be renamed to ${to.path}: there is a file of that name; delete it first`
  if (reason !== null) {
    from.refusals.push({ path: from.path, reason, excerpt: '' })
    return
  }
  to.text = from.text
  from.text = undefined
}

function close({ path, before, text, refusals, notes }: OpenFile): Applied {
  const change = changeBetween(path, before, text)
  const isIdle = change === null && refusals.length === 0
  const idle = { path, reason: 'changed nothing: the file already is like this', excerpt: '' }
  return { changes: change ? [change] : [], refusals: isIdle ? [idle] : refusals, notes }
}

function applyProposal(
  path: string,
  proposal: Exclude<Proposal, { readonly kind: 'rename' }>,
  text: string | undefined,
): Standing {
  switch (proposal.kind) {
    case 'whole':
      return replaceWhole(path, proposal.content, text)
    case 'delete':
      return text === undefined
        ? refuse(path, text, 'there is no such file to delete')
        : { text: undefined, refusals: [], notes: [] }
    case 'hunks':
      return applyDiff(path, proposal.hunks, text)
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

function applyDiff(path: string, hunks: readonly Hunk[], text: string | undefined): Standing {
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const added = lines.filter(({ kind }) => kind === 'added')
  const onlyAdds = lines.every(({ kind, raw }) => kind === 'added' || raw.trim() === '')
  if (text === undefined || text === '') {
    if (onlyAdds && hunks.length === 1) {
      return replaceWhole(path, added.map((line) => `${line.text}\n`).join(''), text)
    }
    const reason =
      text === undefined
        ? 'there is no such file to change by a diff; send the whole file'
        : 'the file is empty; send the whole file'
    return refuse(path, text, reason, shorten(lines.map(({ raw }) => raw)))
  }
  const edited = applyHunks(path, text, hunks)
  if (edited.text.trim() === '' && text.trim() !== '') {
    return refuse(path, text, 'the file would be empty; to remove it, write DELETE: its path')
  }
  return edited
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
