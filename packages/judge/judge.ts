export { changeBetween, changesBetween } from './answer/change-sets.ts'
export { parseReply } from './answer/parse-reply.ts'
export { readDifference } from './answer/read-difference.ts'
export { readDraft } from './answer/read-draft.ts'
export { readToolCalls } from './answer/read-tool-calls.ts'
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
  type SandboxKind,
  type TestFailure,
  type TestReport,
  testFailureSchema,
  testReportSchema,
} from './change/test-report.ts'
export { findOperations } from './destructive/find-operations.ts'
export { readDeclaredPackages } from './detect/declared-packages.ts'
export { isDeclaring, isOwn } from './detect/project-roots.ts'
export { inScope } from './gate/check-scope.ts'
export { openPolicyGate } from './gate/gate.ts'
export { lendDependencies } from './prepare/lend-dependencies.ts'
export { missingModules } from './prepare/missing-module.ts'
export { openProject } from './prepare/open-project.ts'
export { type Renewed, renewChanged } from './prepare/renew-locks.ts'
export { type Baseline, openBaseline, stopBaselines } from './run/baseline.ts'
export { sameChanges } from './run/guard-tests.ts'
export { tryCorrection } from './run/judge-correction.ts'
export { openRepair } from './run/open-repair.ts'
export { tryPrograms } from './run/try-programs.ts'
export type { Verification } from './run/verify-folder.ts'
export {
  type Command,
  type NetworkReach,
  type ReachedRun,
  reportName,
  type Sandbox,
  type SandboxAbility,
  type SandboxRequest,
  type SandboxRun,
} from './sandbox.ts'
export { openTree, type Tree } from './tree.ts'
export type { DiffEntry, Folder, TreeEntry, Trees, WriteResult } from './trees.ts'
export { validateFile } from './validate/validate-file.ts'
export { findProblems } from './verdict/find-problems.ts'
export { createVerifier, nothingRun, type Verifier, verifyChange } from './verdict/verify-change.ts'
