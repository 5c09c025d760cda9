import type { ChangeSet } from '../../core/domain/change-set.ts'

/** A tree with a change in it. */
export interface ChangedTree {
  readonly changes: ChangeSet
  readonly paths: readonly string[]
  readonly read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>
}
