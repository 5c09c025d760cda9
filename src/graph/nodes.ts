import { buildContext } from './nodes/attempt/build-context.ts'
import { checkpoint } from './nodes/attempt/checkpoint.ts'
import { executeTask } from './nodes/attempt/execute-task.ts'
import { planTask } from './nodes/attempt/plan-task.ts'
import { repairCode } from './nodes/attempt/repair-code.ts'
import { repairTest } from './nodes/attempt/repair-test.ts'
import { validateCode } from './nodes/attempt/validate-code.ts'
import { verifyTask } from './nodes/attempt/verify-task.ts'
import { writeFiles } from './nodes/attempt/write-files.ts'
import { normalizeRoadmap } from './nodes/choose/normalize-roadmap.ts'
import { parseRoadmap } from './nodes/choose/parse-roadmap.ts'
import { pickTask } from './nodes/choose/pick-task.ts'
import { decideNext } from './nodes/finish/decide-next.ts'
import { generateReport } from './nodes/finish/generate-report.ts'
import { retryDeferred } from './nodes/finish/retry-deferred.ts'
import { applyRecovery } from './nodes/recover/apply-recovery.ts'
import { awaitApproval } from './nodes/recover/await-approval.ts'
import { classifyFailure } from './nodes/recover/classify-failure.ts'
import { proposeRecovery } from './nodes/recover/propose-recovery.ts'

/** The steps, in the order a task meets them. */
export const nodes = {
  parse_roadmap: parseRoadmap,
  normalize_roadmap: normalizeRoadmap,
  pick_task: pickTask,
  plan_task: planTask,
  build_context: buildContext,
  execute_task: executeTask,
  validate_code: validateCode,
  repair_code: repairCode,
  write_files: writeFiles,
  verify_task: verifyTask,
  repair_test: repairTest,
  checkpoint,
  classify_failure: classifyFailure,
  propose_recovery: proposeRecovery,
  await_approval: awaitApproval,
  apply_recovery: applyRecovery,
  decide_next: decideNext,
  retry_deferred: retryDeferred,
  generate_report: generateReport,
} as const
