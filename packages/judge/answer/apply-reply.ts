import { type ChangeSet, changeBetween, type Refusal } from '../../change/change.ts'
import { checkPath } from '../../text/text.ts'
import { addressWithin, samePath } from './address.ts'
import { applyEdits } from './apply-edits.ts'
import { applyHunks } from './diff/apply-hunks.ts'
import type { Hunk } from './diff/hunk.ts'
import type { Edited } from './edited.ts'
import { type Edit, type FileProposal, pathsOf, type Reply } from './reply.ts'
import { restoreHidden } from './restore-hidden.ts'
import { inTheStyleOf, linesOf, shorten, textOfLines } from './text-lines.ts'

export interface Applied {
  readonly changes: ChangeSet
  readonly refusals: readonly Refusal[]
  /** What was tolerated or deserves a second look, in sentences. */
  readonly notes: readonly string[]
  /** Set when nothing in the answer is new: the refusals say so for each file. */
  readonly isIdle?: true
}

/**
 * Applies an answer's proposals in memory, in order, as one change per file. Refuses what does not
 * fit, with its reason; guesses nothing. A change that was already made becomes a note, and a
 * refusal only when the answer has nothing else. A renamed file is deleted and created again with
 * the same text.
 *
 * @param read the file's present text, by repository-relative path; `undefined` when there is none
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
  for (const file of files.values()) file.mend()
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

type Read = (path: string) => string | undefined

interface View {
  /** The text at the start commit, if different: a change that was made since is not new. */
  readonly start?: Read
  /** The text as the model saw it, line by line; edits apply to the file itself, else to this. */
  readonly show?: (path: string, text: string) => string
  readonly mend?: Mend
}

/** Adds to a file's new text what the answer left out by mistake; `before` is `undefined` for a new file. */
export type Mend = (path: string, before: string | undefined, text: string) => string

const wouldBeEmpty = 'the file would be empty; to remove it, write DELETE: its path'

class OpenFile {
  readonly path: string
  readonly before: string | undefined
  readonly refusals: Refusal[] = []
  readonly echoes: Refusal[] = []
  readonly notes: string[] = []
  text: string | undefined
  readonly #start: string | undefined
  readonly #show: (text: string) => string
  readonly #mend: Mend | undefined
  /** Edits and hunks that were already read: a model that repeats one means it once. */
  readonly #applied = new Set<string>()

  constructor(path: string, before: string | undefined, { start, show, mend }: View) {
    this.path = path
    this.before = before
    this.text = before
    this.#start = start ? start(path) : before
    this.#mend = mend
    this.#show = remembering((text) => show?.(path, text) ?? text)
  }

  apply(proposal: Exclude<FileProposal, { readonly kind: 'rename' }>): void {
    switch (proposal.kind) {
      case 'whole':
        this.#replaceWhole(proposal.content)
        break
      case 'delete':
        if (this.text !== undefined) this.text = undefined
        else if (this.#start === undefined) this.#refuse('there is no such file to delete')
        else this.#echo('it is deleted already')
        break
      case 'hunks':
        this.#applyDiff(this.#unseen(proposal.hunks))
        break
      case 'edits':
        this.#applyEdits(proposal.edits)
    }
  }

  /** The answer's last word on the file is heard. */
  mend(): void {
    if (this.text !== undefined && this.text !== this.before)
      this.text = this.#mend?.(this.path, this.before, this.text) ?? this.text
  }

  moveTo(other: OpenFile): void {
    if (this === other) this.#echo('the new name is the old one')
    else if (this.text === undefined && this.#start !== undefined && other.text !== undefined) {
      this.#echo('it has its new name already')
    } else if (this.text === undefined) this.#refuse('there is no such file to rename')
    else if (other.text !== undefined) {
      const reason = `cannot be renamed to ${other.path}: there is a file of that name; delete it first`
      this.#refuse(reason)
    } else {
      other.text = this.text
      this.text = undefined
    }
  }

  #refuse(reason: string, excerpt = ''): void {
    this.refusals.push({ path: this.path, reason, excerpt })
  }

  #echo(why: string): void {
    this.echoes.push({ path: this.path, reason: `changed nothing: ${why}`, excerpt: '' })
  }

  #unseen<T extends Edit | Hunk>(parts: readonly T[]): readonly T[] {
    const fresh = parts.filter((part) => !this.#applied.has(JSON.stringify(part)))
    for (const part of fresh) this.#applied.add(JSON.stringify(part))
    return fresh
  }

  #applyEdits(edits: readonly Edit[]): void {
    const [first, ...others] = edits
    if (this.text !== undefined) {
      const fresh = edits.flatMap((edit) => this.#unseen([edit]))
      const start = this.#start === this.before ? undefined : this.#start
      const ways = { show: this.#show, start }
      this.#change(this.text, (text) => applyEdits(this.path, text, fresh, ways), true)
    } else if (first?.search.trim() === '' && others.length === 0) this.#replaceWhole(first.replace)
    else {
      const excerpt = shorten(linesOf(first?.search ?? ''))
      this.#refuse('there is no such file to edit; send the whole file', excerpt)
    }
  }

  #applyDiff(hunks: readonly Hunk[]): void {
    const lines = hunks.flatMap((hunk) => hunk.lines)
    const added = lines.filter(({ kind }) => kind === 'added')
    const onlyAdds = lines.every(({ kind, raw }) => kind === 'added' || raw.trim() === '')
    if (this.text) this.#change(this.text, (text) => this.#hunksInShown(text, hunks), false)
    else if (onlyAdds && hunks.length === 1) {
      this.#replaceWhole(textOfLines(added.map(({ text }) => text)))
    } else {
      const why =
        this.text === '' ? 'the file is empty' : 'there is no such file to change by a diff'
      this.#refuse(`${why}; send the whole file`, shorten(lines.map(({ raw }) => raw)))
    }
  }

  /** Applies hunks to the file itself, else to the file as shown, which alone refusals quote. */
  #hunksInShown(text: string, hunks: readonly Hunk[]): Edited {
    const real = applyHunks(this.path, text, hunks)
    const shown = this.#show(text)
    if (shown === text || real.refusals.length + real.notes.length === 0) return real
    const inShown = applyHunks(this.path, shown, hunks)
    if (inShown.refusals.length > 0 && real.refusals.length === 0) return real
    return { ...inShown, text: restoreHidden(text, shown, inShown.text) }
  }

  /**
   * Applies edits to the text without its byte order mark, which no model sees. Skips them when all
   * were made before this answer, so that they turn the start commit's text into the present one.
   */
  #change(text: string, edit: (text: string) => Edited, mayEndEmpty: boolean): void {
    const again = this.#start === undefined || this.#start === text ? null : edit(this.#start)
    if (again?.refusals.length === 0 && again.text === text) {
      this.#echo('the draft has these edits already')
      return
    }
    const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
    const edited = edit(text.slice(mark.length))
    if (!mayEndEmpty && edited.text.trim() === '' && text.trim() !== '') {
      this.#refuse(wouldBeEmpty)
      return
    }
    this.text = mark + edited.text
    this.refusals.push(...edited.refusals)
    this.echoes.push(...edited.echoes)
    this.notes.push(...edited.notes)
  }

  #replaceWhole(content: string): void {
    const { path, text } = this
    if (text === undefined) this.text = content
    else if (content.trim() === '' && text.trim() !== '') this.#refuse(wouldBeEmpty)
    else {
      const shown = this.#show(text)
      const kept = withAddress(path, content, shown)
      const [had, has] = [linesOf(text).length, linesOf(kept).length]
      if (has * 3 < had) this.notes.push(`${path}: shrinks from ${had} lines to ${has}`)
      this.text = restoreHidden(text, shown, inTheStyleOf(shown, kept))
    }
  }
}

/** Keeps a function's last result: a file is shown again for each edit that is not found in it. */
function remembering(show: (text: string) => string): (text: string) => string {
  let last: readonly [string, string] | null = null
  return (text) => {
    if (last?.[0] !== text) last = [text, show(text)]
    return last[1]
  }
}

/** A file that starts with a comment naming it keeps that line, which was read as the address. */
function withAddress(path: string, content: string, before: string): string {
  const old = linesOf(before)
  const address = addressWithin(old, false)
  if (address === null || samePath(address.path, path) === null) return content
  const line = old[address.line] ?? ''
  const lines = linesOf(content)
  if (lines[address.line] === line) return content
  return textOfLines(lines.toSpliced(address.line, 0, line))
}
