import { type ChangeSet, contentAfter, contentBefore } from '../../core/domain/change-set.ts'
import { changeBetween } from './change-between.ts'

/**
 * One change set that does what two do one after the other: every `before` is that of the
 * first, and what ends as it began is left out.
 */
export function mergeChangeSets(first: ChangeSet, second: ChangeSet): ChangeSet {
  const later = new Map(second.map((change) => [change.path, change]))
  const earlier = new Set(first.map((change) => change.path))
  const merged = first.flatMap((change) => {
    const next = later.get(change.path)
    if (next === undefined) return [change]
    return changeBetween(change.path, contentBefore(change), contentAfter(next)) ?? []
  })
  return [...merged, ...second.filter((change) => !earlier.has(change.path))]
}

/** Reads files as they are with the changes made. */
export function overlay(
  read: (path: string) => string | undefined,
  changes: ChangeSet,
): (path: string) => string | undefined {
  const changed = new Map(changes.map((change) => [change.path, contentAfter(change)]))
  return (path) => (changed.has(path) ? changed.get(path) : read(path))
}
