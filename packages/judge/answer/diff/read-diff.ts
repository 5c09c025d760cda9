import { samePath } from '../address.ts'
import { findElision } from '../markers.ts'
import { type BlockPart, type BlockParts, refusedPart } from '../reply.ts'
import { type Lines, textOfLines } from '../text-lines.ts'
import { onePath, withoutPrefix } from './diff-paths.ts'
import { changesSomething, type Hunk } from './hunk.ts'
import { type FileDiff, parseDiff } from './parse-diff.ts'

/** Where a diff is in an answer. */
export interface DiffPlace {
  /** The path in the words around it, if any; the diff's own header takes precedence. */
  readonly path: string | null
  /** False when the answer may have ended in the middle. */
  readonly closed: boolean
  /** See `AnswerBlock.doubtful`. */
  readonly doubtful: Lines
}

const noChange = 'the diff changes nothing: it has no + and no - lines'

/** Reads a diff as changes of files, each with a reason when it cannot be used. */
export function readDiff(lines: Lines, place: DiffPlace): BlockParts {
  const files = parseDiff(lines, place.doubtful).filter(
    (file) =>
      file.action !== 'modify' || file.hunks.some(changesSomething) || sidesOfDiff(file) !== null,
  )
  if (files.length === 0) return [refusedPart(place.path, noChange, lines)]
  return files.flatMap((file, index) => {
    const isCut = index === files.length - 1 && !place.closed && !file.closed
    return partsOf(file, place.path, isCut)
  })
}

function partsOf(file: FileDiff, outer: string | null, isCut: boolean): BlockParts {
  const sides = sidesOfDiff(file)
  const { from = '', path: own = null } = sides ?? {}
  if (sides !== null && own === null) {
    const reason = `the diff names two files, ${from} and ${sides.to}; to rename one, write RENAME: ${from} -> ${sides.to}`
    return [refusedPart(sides.to, reason)]
  }
  const path = own === null || outer === null ? (own ?? outer) : (samePath(outer, own) ?? own)
  const hunks = isCut ? file.hunks.slice(0, -1) : file.hunks
  const unfinished = isCut ? file.hunks.at(-1) : undefined
  const isMove = file.action === 'rename' && file.old != null && file.renewed != null
  const isMoved = isMove && path !== null && from !== path
  const parts = [
    ...(isMoved ? [{ kind: 'rename', path: from, to: path } as const] : []),
    ...changeParts({ ...file, hunks }, path, unfinished !== undefined || isMoved),
  ]
  if (unfinished === undefined) return parts
  const reason = `the answer ends in the middle of the diff of ${path ?? 'a file'}; send its last hunk again`
  return [...parts, refusedPart(path, reason, rawLines([unfinished]).slice(-6))]
}

const notPossible: Partial<Record<FileDiff['action'], string>> = {
  copy: 'a diff that copies a file cannot be used; send the new file in full',
  binary: 'a binary file cannot be changed by a diff',
  half_rename: 'a diff that renames a file names both: write RENAME: its path -> its new path',
  mode: "a file's mode cannot be changed here; leave this out",
}

/** @param mayBeEmpty true when the rest of the diff says something, or would have */
function changeParts(
  { hunks, action }: FileDiff,
  path: string | null,
  mayBeEmpty: boolean,
): BlockParts {
  if (path !== null && action === 'delete') return [{ kind: 'delete', path }]
  if (path !== null && action === 'create') return mayBeEmpty ? [] : [created(path, hunks)]
  const reason = notPossible[action]
  if (reason !== undefined) return [refusedPart(path, reason)]
  const changing = hunks.filter(changesSomething)
  if (changing.length === 0) {
    return mayBeEmpty ? [] : [refusedPart(path, noChange, rawLines(hunks))]
  }
  const elision = changing
    .map((hunk) => leftOut(path ?? '', hunk))
    .find((line) => line !== undefined)
  if (elision === undefined) return [{ kind: 'hunks', path: path ?? '', hunks: changing }]
  const gap =
    'the diff leaves code out; send every added line, and unchanged lines only as they are in the file'
  return [refusedPart(path, gap, [elision])]
}

/** A new file consists of all lines of its diff, even those whose `+` was forgotten. */
function created(path: string, hunks: readonly Hunk[]): BlockPart {
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const signed = lines.filter(({ kind }) => kind === 'added')
  const removed = lines.find(({ kind }) => kind === 'removed')
  if (removed && signed.length > 0) {
    const reason = 'the diff of a new file removes lines; send the whole file'
    return refusedPart(path, reason, [removed.raw])
  }
  const last = lines.findLastIndex(({ kind, raw }) => kind === 'added' || raw.trim() !== '')
  const texts = lines.slice(0, last + 1).map(({ text, raw }) => (signed.length > 0 ? text : raw))
  const elision = texts[findElision(path, texts) - 1]
  if (elision !== undefined) {
    return refusedPart(path, 'the answer leaves code out; send the new file in full', [elision])
  }
  const isOpen = hunks.at(-1)?.finalNewline === 'remove'
  const content = textOfLines(texts)
  return { kind: 'whole', path, content: isOpen ? content.slice(0, -1) : content }
}

/** Finds an added line that stands for omitted code, unless the diff also removes such a line. */
function leftOut(path: string, { lines }: Hunk): string | undefined {
  const removed = new Set(
    lines.filter(({ kind }) => kind === 'removed').map(({ text }) => text.trim()),
  )
  const added = lines.filter(({ kind, text }) => kind === 'added' && !removed.has(text.trim()))
  const texts = added.map(({ text }) => text)
  return texts[findElision(path, texts) - 1]
}

interface Sides {
  readonly from: string
  readonly to: string
  /** The file that the diff is about; `null` when it names two. */
  readonly path: string | null
}

/** The file that a diff's own headers name; `null` without such headers. */
function sidesOfDiff({ old, renewed, action }: FileDiff): Sides | null {
  if (old == null && renewed == null) return null
  const isMove = action === 'rename' || action === 'copy'
  const both = old?.startsWith('a/') && renewed?.startsWith('b/')
  const plain = (path: string, side: 'old' | 'new') =>
    // `rename from` has no prefixes, but `--- a/x` and `+++ b/y` below do: drop both, or neither.
    isMove && old != null && renewed != null && !both ? path : withoutPrefix(path, side)
  const to = plain(renewed ?? '', 'new')
  const from = plain(old ?? '', 'old')
  if (old == null) return { from: to, to, path: to }
  if (renewed == null) return { from, to: from, path: from }
  return { from, to, path: isMove ? to : onePath(old, renewed) }
}

const rawLines = (hunks: readonly Hunk[]): Lines =>
  hunks.flatMap((hunk) => hunk.lines.map(({ raw }) => raw))
