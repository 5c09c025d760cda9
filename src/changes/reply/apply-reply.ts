import type { ChangeSet, Refusal } from '../../core/domain/change-set.ts'
import { checkPath } from '../gate/check-path.ts'
import { changeBetween } from './change-sets.ts'
import { OpenFile, type Read, type View } from './open-file.ts'
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
    const file = new OpenFile(path, read(path), view)
    files.set(path, file)
    return file
  }
  for (const proposal of reply.proposals) {
    const [first, second] = pathsOf(proposal).flatMap((path) => {
      const checked = checkPath(path)
      if (checked.status === 'ok') return [checked.path]
      refusals.push({ path, reason: checked.reason, excerpt: '' })
      return []
    })
    if (first === undefined) continue
    if (proposal.kind !== 'rename') open(first).apply(proposal)
    else if (second !== undefined) open(first).moveTo(open(second))
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
