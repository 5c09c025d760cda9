export {
  type ChangeSet,
  changeBetween,
  changesBetween,
  changesOf,
  contentAfter,
  contentBefore,
  countChanges,
  type Draft,
  draftSchema,
  type FileChange,
  fileChangeSchema,
  mergeChangeSets,
  newFileMode,
  overlay,
  type Refusal,
  type RenewedLock,
  refusalSchema,
} from './change-set.ts'

export { type DiffStat, diffStatSchema } from './diff-stat.ts'

export { type CodeProblem, codeProblemSchema, isForbidding } from './problem.ts'
export { openTree, type Tree } from './tree.ts'
export type { DiffEntry, Folder, TreeEntry, Trees, WriteResult } from './trees.ts'
