import type { ChangeSet, Refusal } from '../../core/domain/change-set.ts'
import { checkPath } from '../gate/check-path.ts'
import { changeBetween } from './change-between.ts'
import {
  applyProposal,
  type OpenFile,
  openFile,
  type PatchedFile,
  type Read,
  same,
  type View,
} from './open-file.ts'
import { pathsOf, type Reply } from './reply.ts'

export interface Applied {
  readonly changes: ChangeSet
  readonly refusals: readonly Refusal[]
  /** What was overlooked or is worth a second look, in sentences. */
  readonly notes: readonly string[]
  /** Set where nothing in the answer is new: the refusals say so of each file. */
  readonly isIdle?: true
}

/**
 * Makes an answer's proposals in memory, in order, into one change per file. What does not fit
 * is refused with its reason; nothing is guessed. What is so already is a note, and refused only
 * where nothing else is in the answer. A renamed file is one that goes and one that comes with the
 * same text.
 *
 * @param read the file's present text, by repository-relative path; `undefined`: there is none
 */
export function applyReply(reply: Reply, read: Read, view: View = {}): Applied {
  const refusals: Refusal[] = []
  const files = new Map<string, OpenFile>()
  const open = (path: string): OpenFile => {
    const known = files.get(path)
    if (known) return known
    const file = openFile(path, read(path), view)
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
    else stand(open(first), applyProposal(open(first), proposal))
  }
  return closeAll([...files.values()], refusals)
}

function closeAll(files: readonly OpenFile[], refused: readonly Refusal[]): Applied {
  const changes = files.flatMap(({ path, before, text }) => changeBetween(path, before, text) ?? [])
  const refusals = [...refused, ...files.flatMap((file) => file.refusals)]
  const notes = files.flatMap((file) => file.notes)
  const echoes = files.flatMap(echoesOf)
  if (changes.length + refusals.length === 0 && echoes.length > 0) {
    const idle = echoes.map((each) => ({ ...each, isEcho: true as const }))
    return { changes, refusals: idle, notes, isIdle: true }
  }
  return {
    changes,
    refusals,
    notes: [...notes, ...echoes.map(({ path, reason }) => `${path}: ${reason}`)],
  }
}

function echoesOf({ path, before, text, refusals, echoes }: OpenFile): readonly Refusal[] {
  const isSame = before === text && refusals.length + echoes.length === 0
  const reason = 'changed nothing: the file already is like this'
  return isSame ? [{ path, reason, excerpt: '' }] : echoes
}

function stand(file: OpenFile, { text, refusals, echoes = [], notes }: PatchedFile): void {
  file.text = text
  file.refusals.push(...refusals)
  file.echoes.push(...echoes)
  file.notes.push(...notes)
}

function rename(from: OpenFile, to: OpenFile): void {
  if (from === to) {
    stand(from, same(from.path, from.text, 'the new name is the old one'))
    return
  }
  if (from.text === undefined && from.start !== undefined && to.text !== undefined) {
    stand(from, same(from.path, from.text, 'it has its new name already'))
    return
  }
  const reason =
    from.text === undefined
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
