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
  overlay,
  type Refusal,
  type RenewedLock,
  refusalSchema,
  sameChanges,
} from './change-set.ts'

export { type DiffStat, diffStatSchema } from './diff-stat.ts'

export { type CodeProblem, codeProblemSchema, isForbidding } from './problem.ts'
export { openTree, type Tree } from './tree.ts'
export {
  type DiffEntry,
  type Folder,
  newFileMode,
  type TreeEntry,
  type Trees,
  type WriteResult,
} from './trees.ts'
