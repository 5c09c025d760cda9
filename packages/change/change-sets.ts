import { isDeepStrictEqual } from 'node:util'
import { type ChangeSet, contentAfter, contentBefore, type FileChange } from './change-set.ts'

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

export const sameChanges = (a: ChangeSet, b: ChangeSet): boolean =>
  a.length === b.length && a.every((change) => b.some((other) => isDeepStrictEqual(other, change)))
