import { diffArrays } from 'diff'
import { z } from 'zod'
import { object, type Stored, text, texts } from '../text/text.ts'
import type { DiffStat } from './diff-stat.ts'

/** One file of a change set, in memory. `path` is repository-relative with forward slashes. */
export const fileChangeSchema = z.discriminatedUnion('action', [
  object({ action: z.literal('create'), path: text, content: text }),
  object({ action: z.literal('modify'), path: text, before: text, content: text }),
  object({ action: z.literal('delete'), path: text, before: text }),
])

export type FileChange = Stored<typeof fileChangeSchema>

/** All changes of a task; at most one entry per path. */
export type ChangeSet = readonly FileChange[]

/** An unusable part of a model's answer, worded so that the model can fix it. */
export const refusalSchema = object({
  /** Empty when it concerns the whole answer. */
  path: text,
  reason: text,
  /** The offending lines, shortened. */
  excerpt: text,
  /** Set when a whole file would lose existing code: `asked` requests edits, `again` means that did not help. */
  lost: z.enum(['asked', 'again']).optional(),
  /** True when the whole answer changed nothing: any later answer with a change settles it. */
  isEcho: z.literal(true).optional(),
  /** True when the answer was a part that ended after this file: the next answer settles it. */
  isEarly: z.literal(true).optional(),
})

export type Refusal = Stored<typeof refusalSchema>

/** The file's text before the change, or `undefined` when there was no file. */
export const contentBefore = (change: FileChange): string | undefined =>
  change.action === 'create' ? undefined : change.before

/** The file's text after the change, or `undefined` when it is deleted. */
export const contentAfter = (change: FileChange): string | undefined =>
  change.action === 'delete' ? undefined : change.content

/** A new script is executable: no form of answer can say so, and people start it by its path. */
export const newFileMode = (content: string): '100644' | '100755' =>
  content.startsWith('#!') ? '100755' : '100644'

/** The change from one text of a file to another; `undefined` is no file, `null` no change. */
export function changeBetween(
  path: string,
  before: string | undefined,
  content: string | undefined,
): FileChange | null {
  if (before === content) return null
  if (before === undefined) return { action: 'create', path, content: content ?? '' }
  if (content === undefined) return { action: 'delete', path, before }
  return { action: 'modify', path, before, content }
}

const byPath = (changes: ChangeSet): ReadonlyMap<string, FileChange> =>
  new Map(changes.map((change) => [change.path, change]))

/** The changes that turn a tree with the first change set into one with the second instead. */
export function changesBetween(first: ChangeSet, second: ChangeSet): ChangeSet {
  const [earlier, later] = [byPath(first), byPath(second)]
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap((path) => {
    const [was, is] = [earlier.get(path), later.get(path)]
    const before = was === undefined ? is && contentBefore(is) : contentAfter(was)
    const after = is === undefined ? was && contentBefore(was) : contentAfter(is)
    return changeBetween(path, before, after) ?? []
  })
}

/**
 * Merges two successive change sets into one: every `before` is that of the first, and files that
 * end as they started are dropped.
 */
export function mergeChangeSets(first: ChangeSet, second: ChangeSet): ChangeSet {
  const [earlier, later] = [byPath(first), byPath(second)]
  const merged = first.flatMap((change) => {
    const next = later.get(change.path)
    if (next === undefined) return [change]
    return changeBetween(change.path, contentBefore(change), contentAfter(next)) ?? []
  })
  return [...merged, ...second.filter(({ path }) => !earlier.has(path))]
}

export function overlay(
  read: (path: string) => string | undefined,
  changes: ChangeSet,
): (path: string) => string | undefined {
  const changed = byPath(changes)
  return (path) => {
    const change = changed.get(path)
    return change === undefined ? read(path) : contentAfter(change)
  }
}

/** A file with more differences counts as replaced, every line of it. */
const mostDifferences = 1_500

/** How many files and lines a change touches, as `git diff --shortstat` counts them. */
export function countChanges(changes: ChangeSet): DiffStat {
  const counts = changes.map(countLines)
  const sum = (key: 'added' | 'removed') => counts.reduce((total, each) => total + each[key], 0)
  return { files: changes.length, added: sum('added'), removed: sum('removed') }
}

function countLines(change: FileChange): Omit<DiffStat, 'files'> {
  const before = linesOf(contentBefore(change) ?? '')
  const after = linesOf(contentAfter(change) ?? '')
  const parts = diffArrays([...before], [...after], { maxEditLength: mostDifferences })
  if (parts === undefined) return { added: after.length, removed: before.length }
  const of = (key: 'added' | 'removed') =>
    parts.reduce((total, part) => (part[key] ? total + part.count : total), 0)
  return { added: of('added'), removed: of('removed') }
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** A lock file that the package manager made from the changed manifest, and the command that made it. */
const renewedLockSchema = object({ change: fileChangeSchema, command: text })

export type RenewedLock = Stored<typeof renewedLockSchema>

export const draftSchema = object({
  changes: z.array(fileChangeSchema),
  refusals: z.array(refusalSchema),
  /** True when the answer said there is nothing to do. */
  claimsDone: z.boolean(),
  /** The answer's prose, for the commit and PR body. */
  summary: text,
  /** What reading the answer tolerated or left out, in sentences. */
  notes: texts,
  /** The notes that a person must see: parts left out or lost. */
  warnings: texts.optional(),
  /** True when the answer was truncated at its length limit. */
  isCut: z.boolean().optional(),
  /** What the agent that made it could reach beyond the model, in words; absent for nothing. */
  reached: text.optional(),
  /** Lock files that we renewed for these changes; absent until `write_files` has checked. */
  locks: z.array(renewedLockSchema).optional(),
})

export type Draft = Stored<typeof draftSchema>

/** All changes of a draft: the model's own, and the lock files that we renewed in place of its. */
export function changesOf(draft: Pick<Draft, 'changes' | 'locks'> | null): ChangeSet {
  const locks = (draft?.locks ?? []).map(({ change }) => change)
  const ours = new Set(locks.map(({ path }) => path))
  return [...(draft?.changes ?? []).filter(({ path }) => !ours.has(path)), ...locks]
}
