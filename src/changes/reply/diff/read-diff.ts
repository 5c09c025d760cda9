import { samePath } from '../address.ts'
import { shorten } from '../excerpt.ts'
import { findElision } from '../find-elision.ts'
import type { BlockPart } from '../part.ts'
import { onePath, withoutPrefix } from './diff-paths.ts'
import { changesSomething, type Hunk } from './hunk.ts'
import { type FileDiff, parseDiff } from './parse-diff.ts'

/** Where a diff stands. */
export interface DiffPlace {
  /** The path the words around it name, if any; a header of its own says more. */
  readonly path: string | null
  /** False when the answer may have ended in the middle. */
  readonly closed: boolean
  /** As `Block.doubtful`. */
  readonly doubtful: readonly string[]
}

/** What the lines of a diff come to: changes of files, each with its reason where it cannot be read. */
export function readDiff(lines: readonly string[], place: DiffPlace): readonly BlockPart[] {
  const files = parseDiff(lines, place.doubtful)
  const telling = files.filter(
    (file) =>
      file.action !== 'modify' || file.hunks.some(changesSomething) || pathsOf(file) !== null,
  )
  if (telling.length === 0) {
    return [
      refused(place.path ?? '', 'the diff changes nothing: it has no + and no - lines', lines),
    ]
  }
  return telling.flatMap((file, index) => {
    const isCut = index === telling.length - 1 && !place.closed && !file.closed
    return partsOf(file, place.path, isCut)
  })
}

function partsOf(file: FileDiff, outer: string | null, isCut: boolean): readonly BlockPart[] {
  const named = pathsOf(file)
  if (named?.status === 'two') {
    const reason = `the diff names two files, ${named.old} and ${named.renewed}; to rename one, write RENAME: ${named.old} -> ${named.renewed}`
    return [refused(named.renewed, reason, [])]
  }
  const path =
    named === null
      ? outer
      : outer === null
        ? named.path
        : (samePath(outer, named.path) ?? named.path)
  const { hunks, unfinished } = isCut
    ? withoutLast(file.hunks)
    : { hunks: file.hunks, unfinished: null }
  const parts = changeParts({ ...file, hunks }, path, named?.from ?? null, unfinished !== null)
  if (unfinished === null) return parts
  const shown = unfinished.lines.slice(-6).map(({ raw }) => raw)
  const reason = `the answer ends in the middle of the diff of ${path ?? 'a file'}; send its last hunk again`
  return [...parts, refused(path ?? '', reason, shown)]
}

function changeParts(
  file: FileDiff,
  path: string | null,
  from: string | null,
  isCut: boolean,
): readonly BlockPart[] {
  const { hunks, action } = file
  if (path !== null && action === 'delete') return [{ kind: 'delete', path }]
  if (path !== null && action === 'create') return isCut ? [] : [created(path, hunks)]
  if (action in notPossible) {
    return [refused(path ?? '', notPossible[action as keyof typeof notPossible], [])]
  }
  const rename: readonly BlockPart[] =
    path !== null && from !== null && from !== path
      ? [{ kind: 'rename', path: from, to: path }]
      : []
  const changing = hunks.filter(changesSomething)
  if (changing.length === 0) {
    return rename.length > 0 || isCut
      ? rename
      : [
          refused(
            path ?? '',
            'the diff changes nothing: it has no + and no - lines',
            rawLines(hunks),
          ),
        ]
  }
  const elision = changing.map((hunk) => leftOut(path ?? '', hunk)).find((line) => line !== null)
  if (elision) {
    const reason =
      'the diff leaves code out; send every added line, and unchanged lines only as they are in the file'
    return [...rename, refused(path ?? '', reason, [elision])]
  }
  if (path === null)
    return [{ kind: 'nameless', lines: rawLines(changing), edits: [], hunks: changing }]
  return [...rename, { kind: 'hunks', path, hunks: changing }]
}

const notPossible = {
  copy: 'a diff that copies a file cannot be used; send the new file in full',
  binary: 'a binary file cannot be changed by a diff',
  half_rename: 'a diff that renames a file names both: write RENAME: its path -> its new path',
  mode: "a file's mode cannot be changed here; leave this out",
} as const

/** A new file is all of its diff's lines; also those whose `+` was forgotten. */
function created(path: string, hunks: readonly Hunk[]): BlockPart {
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const signed = lines.filter(({ kind }) => kind === 'added')
  const removed = lines.find(({ kind }) => kind === 'removed')
  if (removed && signed.length > 0) {
    return refused(path, 'the diff of a new file removes lines; send the whole file', [removed.raw])
  }
  const last = lines.findLastIndex(({ kind, raw }) => kind === 'added' || raw.trim() !== '')
  const texts = lines.slice(0, last + 1).map(({ text, raw }) => (signed.length > 0 ? text : raw))
  const elision = texts[findElision(path, texts) - 1]
  if (elision !== undefined) {
    return refused(path, 'the answer leaves code out; send the new file in full', [elision])
  }
  const isOpen = hunks.at(-1)?.finalNewline === 'remove'
  const content = texts.map((line) => `${line}\n`).join('')
  return { kind: 'whole', path, content: isOpen ? content.slice(0, -1) : content }
}

/** A line that stands for code that is not there, unless the diff takes such a line out as well. */
function leftOut(path: string, { lines }: Hunk): string | null {
  const removed = new Set(
    lines.filter(({ kind }) => kind === 'removed').map(({ text }) => text.trim()),
  )
  const added = lines.filter(({ kind, text }) => kind === 'added' && !removed.has(text.trim()))
  const texts = added.map(({ text }) => text)
  return texts[findElision(path, texts) - 1] ?? null
}

function withoutLast(hunks: readonly Hunk[]) {
  return { hunks: hunks.slice(0, -1), unfinished: hunks.at(-1) ?? null }
}

type Named =
  | { readonly status: 'one'; readonly path: string; readonly from: string | null }
  | { readonly status: 'two'; readonly old: string; readonly renewed: string; readonly from: null }

/** The file a diff is about, by its own headers; `null` when it has none. */
function pathsOf({ old, renewed, action }: FileDiff): Named | null {
  const from = old ?? null
  const to = renewed ?? null
  if (from === null && to === null) return null
  if (from === null || to === null) {
    const path = to === null ? withoutPrefix(from ?? '', 'old') : withoutPrefix(to, 'new')
    return { status: 'one', path, from: null }
  }
  if (action === 'rename' || action === 'copy') {
    return {
      status: 'one',
      path: withoutSides(from, to, 'new'),
      from: withoutSides(from, to, 'old'),
    }
  }
  const path = onePath(from, to)
  return path === null
    ? {
        status: 'two',
        old: withoutPrefix(from, 'old'),
        renewed: withoutPrefix(to, 'new'),
        from: null,
      }
    : { status: 'one', path, from: null }
}

/** `rename from` has no prefixes, `--- a/x` and `+++ b/y` below it have; both must go, or none. */
function withoutSides(old: string, renewed: string, side: 'old' | 'new'): string {
  const both = old.startsWith('a/') && renewed.startsWith('b/')
  const path = side === 'old' ? old : renewed
  return both ? withoutPrefix(path, side) : path
}

function rawLines(hunks: readonly Hunk[]): readonly string[] {
  return hunks.flatMap((hunk) => hunk.lines.map(({ raw }) => raw))
}

function refused(path: string, reason: string, lines: readonly string[]): BlockPart {
  return { kind: 'refused', refusal: { path, reason, excerpt: shorten(lines) } }
}
