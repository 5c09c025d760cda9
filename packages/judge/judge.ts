export { readDifference } from './answer/read-difference.ts'
export type { DestructiveOperation } from './destructive/operation.ts'
export { inScope } from './gate/check-scope.ts'
export { openPolicyGate } from './gate/gate.ts'
export { missingModules } from './prepare/missing-module.ts'
export type { Receipt, TestFailure, TestReport } from './results/test-report.ts'
export { stopBaselines } from './run/kept-baselines.ts'
export { openRepair } from './run/open-repair.ts'
export { judgedSchemas } from './stored.ts'
export { nothingRun } from './verdict/nothing-run.ts'
export type { Verifier } from './verdict/verify-change.ts'
export {
  createVerifier,
  findOperations,
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
