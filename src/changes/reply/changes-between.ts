import { type ChangeSet, contentAfter, contentBefore } from '../../core/domain/change-set.ts'
import { changeBetween } from './change-between.ts'

/** What has to be done to a tree with the first change set in it, so that it holds the second instead. */
export function changesBetween(first: ChangeSet, second: ChangeSet): ChangeSet {
  const earlier = new Map(first.map((change) => [change.path, change]))
  const later = new Map(second.map((change) => [change.path, change]))
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap((path) => {
    const [was, is] = [earlier.get(path), later.get(path)]
    const before = was === undefined ? is && contentBefore(is) : contentAfter(was)
    const after = is === undefined ? was && contentBefore(was) : contentAfter(is)
    return changeBetween(path, before, after) ?? []
  })
}
