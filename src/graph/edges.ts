import type { EdgeTable } from './step.ts'

/** Every node that asks the model: no money left ends the task, no model ends the run. */
const asksModel = { over_budget: 'decide_next', unavailable: 'generate_report' } as const

/** THE table: what happens after what. Nodes name outcomes; only this names destinations. */
export const edges = {
  parse_roadmap: {
    parsed: 'pick_task',
    no_boxes: 'normalize_roadmap',
    no_tasks: 'generate_report',
    refused: 'generate_report',
  },
  normalize_roadmap: {
    normalized: 'parse_roadmap',
    no_tasks: 'generate_report',
    over_budget: 'generate_report',
    not_prepared: 'generate_report',
    unavailable: 'generate_report',
  },
  pick_task: {
    picked: 'plan_task',
    picked_simple: 'build_context',
    skipped: 'decide_next',
    taken_up: 'validate_code',
    answered: 'await_approval',
    only_deferred_left: 'retry_deferred',
    none_left: 'generate_report',
  },
  plan_task: {
    planned: 'build_context',
    no_plan: 'build_context',
    not_prepared: 'generate_report',
    ...asksModel,
  },
  build_context: { built: 'execute_task', too_large: 'classify_failure' },
  execute_task: {
    drafted: 'validate_code',
    claims_done: 'verify_task',
    too_large: 'build_context',
    not_prepared: 'generate_report',
    failed: 'classify_failure',
    ...asksModel,
  },
  validate_code: {
    valid: 'write_files',
    invalid: 'repair_code',
    repairs_spent: 'classify_failure',
    destructive: 'await_approval',
  },
  repair_code: { repaired: 'validate_code', too_large: 'classify_failure', ...asksModel },
  write_files: {
    written: 'verify_task',
    unfit: 'repair_code',
    refused: 'classify_failure',
    destructive: 'await_approval',
    cannot_run: 'classify_failure',
  },
  verify_task: {
    passed: 'checkpoint',
    unverified: 'checkpoint',
    already_satisfied: 'checkpoint',
    failed: 'repair_test',
    unproven: 'classify_failure',
    repairs_spent: 'classify_failure',
    cannot_run: 'classify_failure',
  },
  repair_test: {
    repaired: 'validate_code',
    failed: 'classify_failure',
    too_large: 'classify_failure',
    ...asksModel,
  },
  checkpoint: {
    proposed: 'decide_next',
    overtaken: 'decide_next',
    failed: 'decide_next',
    forge_refused: 'generate_report',
  },
  classify_failure: { classified: 'propose_recovery' },
  propose_recovery: {
    needs_approval: 'await_approval',
    approved: 'apply_recovery',
    logged_only: 'decide_next',
    ...asksModel,
  },
  await_approval: {
    approved: 'apply_recovery',
    edited: 'apply_recovery',
    write_anyway: 'write_files',
    other_strategy: 'propose_recovery',
    retry: 'build_context',
    rejected: 'decide_next',
    skipped: 'decide_next',
    stale: 'decide_next',
    waiting: 'decide_next',
    forge_refused: 'generate_report',
  },
  apply_recovery: {
    tasks_added: 'decide_next',
    task_set_aside: 'decide_next',
    stale: 'decide_next',
    refused: 'decide_next',
    forge_refused: 'generate_report',
  },
  decide_next: { go_on: 'pick_task', limit_reached: 'generate_report' },
  retry_deferred: { requeued: 'pick_task', nothing_left: 'generate_report' },
  generate_report: { reported: 'END', unposted: 'END' },
} as const satisfies EdgeTable
