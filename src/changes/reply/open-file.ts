import type { Refusal } from '../../core/domain/change-set.ts'
import { addressWithin, samePath } from './address.ts'
import { applyEdits } from './apply-edits.ts'
import { applyHunks } from './diff/apply-hunks.ts'
import type { Hunk } from './diff/hunk.ts'
import type { Edited } from './edited.ts'
import { shorten } from './excerpt.ts'
import type { Edit, FileProposal } from './reply.ts'
import { restoreHidden } from './restore-hidden.ts'
import { inTheStyleOf, linesOf } from './text-lines.ts'

export type Read = (path: string) => string | undefined

/** What is known of the files besides their present text. */
export interface View {
  /** The text at the start commit, where that is another: what was changed since is no news. */
  readonly start?: Read
  /** The text as the model saw it, line by line; edits are about the file itself, else about this. */
  readonly show?: (path: string, text: string) => string
}

/** A file as it stands after some of the proposals for it. */
export interface PatchedFile {
  readonly text: string | undefined
  readonly refusals: readonly Refusal[]
  readonly echoes?: readonly Refusal[]
  readonly notes: readonly string[]
}

export interface OpenFile {
  readonly path: string
  readonly before: string | undefined
  readonly start: string | undefined
  readonly show: (text: string) => string
  text: string | undefined
  /** Edits and hunks that were read before: a model that repeats one means it once. */
  readonly seen: Set<string>
  readonly refusals: Refusal[]
  readonly echoes: Refusal[]
  readonly notes: string[]
}

export function openFile(
  path: string,
  before: string | undefined,
  { start, show }: View,
): OpenFile {
  const lists = { seen: new Set<string>(), refusals: [], echoes: [], notes: [] }
  return {
    ...{ path, before, text: before, start: start ? start(path) : before },
    ...{ show: remembering((text) => show?.(path, text) ?? text), ...lists },
  }
}

/** The last answer of a function is kept: a file is looked at for each edit that is not found in it. */
function remembering(show: (text: string) => string): (text: string) => string {
  let last: readonly [string, string] | null = null
  return (text) => {
    if (last?.[0] !== text) last = [text, show(text)]
    return last[1]
  }
}

/** What becomes of a file by one proposal for it. */
export function applyProposal(
  file: OpenFile,
  proposal: Exclude<FileProposal, { readonly kind: 'rename' }>,
): PatchedFile {
  const { path, text } = file
  switch (proposal.kind) {
    case 'whole':
      return replaceWhole(file, proposal.content)
    case 'delete':
      return text !== undefined
        ? { text: undefined, refusals: [], notes: [] }
        : file.start === undefined
          ? refuse(path, text, 'there is no such file to delete')
          : same(path, text, 'it is deleted already')
    case 'hunks':
      return applyDiff(file, unseen(file, proposal.hunks))
    case 'edits': {
      const [first] = proposal.edits
      if (text !== undefined)
        return editFile(
          file,
          text,
          proposal.edits.flatMap((edit) => unseen(file, [edit])),
        )
      if (proposal.edits.length === 1 && first?.search.trim() === '') {
        return replaceWhole(file, first.replace)
      }
      const excerpt = shorten(linesOf(first?.search ?? ''))
      return refuse(path, text, 'there is no such file to edit; send the whole file', excerpt)
    }
  }
}

/** What the answer asks for is so already. */
export function same(path: string, text: string | undefined, why: string): PatchedFile {
  const echo = { path, reason: `changed nothing: ${why}`, excerpt: '' }
  return { text, refusals: [], echoes: [echo], notes: [] }
}

/** Edits or hunks that this answer did not have before. */
function unseen<T extends Edit | Hunk>({ seen }: OpenFile, parts: readonly T[]): readonly T[] {
  const fresh = parts.filter((part) => !seen.has(JSON.stringify(part)))
  for (const part of fresh) seen.add(JSON.stringify(part))
  return fresh
}

/** All of what is asked was done before this answer: the start commit's text becomes the present one. */
function isRepeated(
  { path, start, text }: OpenFile,
  make: (path: string, text: string) => Edited,
): boolean {
  if (start === undefined || text === undefined || start === text) return false
  const again = make(path, start)
  return again.refusals.length === 0 && again.text === text
}

function editFile(file: OpenFile, text: string, edits: readonly Edit[]): PatchedFile {
  const { path, show } = file
  if (isRepeated(file, (_, start) => applyEdits(path, start, edits, show))) {
    return same(path, text, 'the draft has these edits already')
  }
  return behindMark(text, (body) => applyEdits(path, body, edits, show))
}

/** Without the byte order mark, which no model sees, and with it again. */
function behindMark(text: string, edit: (body: string) => Edited): Edited {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const edited = edit(text.slice(mark.length))
  return { ...edited, text: mark + edited.text }
}

function applyDiff(file: OpenFile, hunks: readonly Hunk[]): PatchedFile {
  const { path, text } = file
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const added = lines.filter(({ kind }) => kind === 'added')
  const onlyAdds = lines.every(({ kind, raw }) => kind === 'added' || raw.trim() === '')
  if (text === undefined || text === '') {
    if (onlyAdds && hunks.length === 1) {
      return replaceWhole(file, added.map((line) => `${line.text}\n`).join(''))
    }
    const reason =
      text === undefined
        ? 'there is no such file to change by a diff; send the whole file'
        : 'the file is empty; send the whole file'
    return refuse(path, text, reason, shorten(lines.map(({ raw }) => raw)))
  }
  if (isRepeated(file, (_, start) => applyHunks(path, start, hunks))) {
    return same(path, text, 'the draft has these edits already')
  }
  const edited = behindMark(text, (body) => hunksInShown(file, body, hunks))
  if (edited.text.trim() === '' && text.trim() !== '') {
    return refuse(path, text, 'the file would be empty; to remove it, write DELETE: its path')
  }
  return edited
}

/** In the file itself, else in the file as it was shown; of that alone a refusal may tell. */
function hunksInShown({ path, show }: OpenFile, text: string, hunks: readonly Hunk[]): Edited {
  const real = applyHunks(path, text, hunks)
  const shown = show(text)
  if (shown === text || real.refusals.length + real.notes.length === 0) return real
  const seen = applyHunks(path, shown, hunks)
  if (seen.refusals.length > 0 && real.refusals.length === 0) return real
  return { ...seen, text: restoreHidden(text, shown, seen.text) }
}

function replaceWhole({ path, text, show }: OpenFile, content: string): PatchedFile {
  if (text === undefined) return { text: content, refusals: [], notes: [] }
  if (content.trim() === '' && text.trim() !== '') {
    return refuse(path, text, 'the file would be empty; to remove it, write DELETE: its path')
  }
  const shown = show(text)
  const kept = withAddress(path, content, shown)
  const [had, has] = [linesOf(text).length, linesOf(kept).length]
  const notes = has * 3 < had ? [`${path}: shrinks from ${had} lines to ${has}`] : []
  return { text: restoreHidden(text, shown, inTheStyleOf(shown, kept)), refusals: [], notes }
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

function refuse(path: string, text: string | undefined, reason: string, excerpt = ''): PatchedFile {
  return { text, refusals: [{ path, reason, excerpt }], notes: [] }
}
