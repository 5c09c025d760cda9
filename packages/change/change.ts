export {
  type ChangeSet,
  contentAfter,
  contentBefore,
  type FileChange,
  fileChangeSchema,
  type Refusal,
  refusalSchema,
} from './change-set.ts'
export {
  changeBetween,
  changesBetween,
  mergeChangeSets,
  overlay,
  sameChanges,
} from './change-sets.ts'
export { countChanges } from './count-changes.ts'
export { type DiffStat, diffStatSchema } from './diff-stat.ts'
export { changesOf, type Draft, draftSchema, type RenewedLock } from './draft.ts'
export { type CodeProblem, codeProblemSchema, isForbidding } from './problem.ts'
export { openTree, type Tree } from './tree.ts'
export type { DiffEntry, Folder, TreeEntry, Trees, WriteResult } from './trees.ts'
