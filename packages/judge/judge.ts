export { changeBetween, changesBetween, sameChanges } from './answer/change-sets.ts'
export { readDifference } from './answer/read-difference.ts'
export {
  type ChangeSet,
  contentAfter,
  contentBefore,
  type FileChange,
  fileChangeSchema,
  type Refusal,
  refusalSchema,
} from './change/change-set.ts'
export { countChanges } from './change/count-changes.ts'
export { type DestructiveOperation, destructiveOperationSchema } from './change/destructive.ts'
export { changesOf, type Draft, draftSchema } from './change/draft.ts'
export { type CodeProblem, codeProblemSchema } from './change/problem.ts'
export {
  type DiffStat,
  type Receipt,
  receiptSchema,
  type TestFailure,
  type TestReport,
  testFailureSchema,
  testReportSchema,
} from './change/test-report.ts'
export { findOperations } from './destructive/find-operations.ts'
export { isDeclaring } from './detect/project-roots.ts'
export { inScope } from './gate/check-scope.ts'
export { openPolicyGate } from './gate/gate.ts'
export { missingModules } from './prepare/missing-module.ts'
export type { Baseline } from './run/baseline.ts'
export { stopBaselines } from './run/kept-baselines.ts'
export { openRepair } from './run/open-repair.ts'
export type { Verification } from './run/verify-folder.ts'
export { openTree, type Tree } from './tree.ts'
export type { DiffEntry, Folder, TreeEntry, Trees, WriteResult } from './trees.ts'
export { nothingRun } from './verdict/nothing-run.ts'
export type { Verifier } from './verdict/verify-change.ts'
export {
  createVerifier,
  findProblems,
  openBaseline,
  packagesOf,
  parseReply,
  readDraft,
  readToolCalls,
  testsOf,
  tryCorrection,
  validateFile,
  verifyChange,
} from './when-needed.ts'
