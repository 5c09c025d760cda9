import type { RunState } from '../core/domain/run-state.ts'
import type { Ports } from '../core/ports.ts'
import { buildContext } from './nodes/attempt/build-context.ts'
import { executeTask } from './nodes/attempt/execute-task.ts'
import type { useTool } from './nodes/attempt/use-tool.ts'
import { parseRoadmap } from './nodes/choose/parse-roadmap.ts'
import { pickTask } from './nodes/choose/pick-task.ts'
import { decideNext } from './nodes/finish/decide-next.ts'
import type { NodeTable } from './step.ts'

const loads: (() => Promise<unknown>)[] = []

/**
 * Loads a node when the walk first reaches it. A third of the program's code is needed only after the model has
 * answered; loading it earlier would delay the first request.
 */
function later<Given extends readonly unknown[], Result>(
  load: () => Promise<(...given: Given) => Promise<Result>>,
): (...given: Given) => Promise<Result> {
  loads.push(load)
  return async (...given) => (await load())(...given)
}

/** Loads the nodes that are not loaded yet. */
export async function loadNodes(): Promise<void> {
  for (const load of loads) await load()
}

/** The steps that check a change; the tools of `use_tool` run them on its draft, too. */
const checks = {
  validate_code: later(async () => (await import('./nodes/attempt/validate-code.ts')).validateCode),
  write_files: later(async () => (await import('./nodes/attempt/write-files.ts')).writeFiles),
  verify_task: later(async () => (await import('./nodes/attempt/verify-task.ts')).verifyTask),
}

const withChecks =
  (node: typeof useTool) =>
  (state: RunState, ports: Ports): ReturnType<typeof useTool> =>
    node(state, { ...ports, checks })

/** The nodes, in the order in which a task reaches them. */
export const nodes = {
  parse_roadmap: parseRoadmap,
  normalize_roadmap: later(
    async () => (await import('./nodes/choose/normalize-roadmap.ts')).normalizeRoadmap,
  ),
  pick_task: pickTask,
  plan_task: later(async () => (await import('./nodes/attempt/plan-task.ts')).planTask),
  build_context: buildContext,
  execute_task: executeTask,
  run_agent: later(async () => (await import('./nodes/attempt/run-agent.ts')).runAgent),
  think: later(async () => (await import('./nodes/attempt/think.ts')).think),
  use_tool: withChecks(later(async () => (await import('./nodes/attempt/use-tool.ts')).useTool)),
  validate_code: checks.validate_code,
  repair_code: later(async () => (await import('./nodes/attempt/repair-code.ts')).repairCode),
  write_files: checks.write_files,
  verify_task: checks.verify_task,
  repair_test: later(async () => (await import('./nodes/attempt/repair-test.ts')).repairTest),
  reflect: later(async () => (await import('./nodes/attempt/reflect.ts')).reflect),
  checkpoint: later(async () => (await import('./nodes/attempt/checkpoint.ts')).checkpoint),
  classify_failure: later(
    async () => (await import('./nodes/recover/classify-failure.ts')).classifyFailure,
  ),
  propose_recovery: later(
    async () => (await import('./nodes/recover/propose-recovery.ts')).proposeRecovery,
  ),
  await_approval: later(
    async () => (await import('./nodes/recover/await-approval.ts')).awaitApproval,
  ),
  apply_recovery: later(
    async () => (await import('./nodes/recover/apply-recovery.ts')).applyRecovery,
  ),
  decide_next: decideNext,
  retry_deferred: later(
    async () => (await import('./nodes/finish/retry-deferred.ts')).retryDeferred,
  ),
  generate_report: later(
    async () => (await import('./nodes/finish/generate-report.ts')).generateReport,
  ),
} as const satisfies NodeTable
