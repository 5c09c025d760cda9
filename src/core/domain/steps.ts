import { z } from 'zod'

/** Every node and its possible outcomes. Only `graph/edges.ts` says where each leads. */
const outcomes = {
  parse_roadmap: ['parsed', 'no_boxes', 'no_tasks', 'refused'],
  normalize_roadmap: ['normalized', 'no_tasks', 'over_budget', 'not_prepared', 'unavailable'],
  pick_task: [
    ...['picked', 'picked_simple', 'skipped', 'taken_up', 'answered'],
    ...['held_up', 'only_deferred_left', 'none_left'],
  ],
  plan_task: ['planned', 'no_plan', 'too_complex', 'not_prepared', 'over_budget', 'unavailable'],
  build_context: ['built', 'built_for_tools', 'built_for_agent', 'too_large'],
  execute_task: [
    ...['drafted', 'part_drafted', 'claims_done', 'too_large', 'silent', 'not_prepared', 'failed'],
    ...['over_budget', 'unavailable'],
  ],
  run_agent: ['drafted', 'claims_done', 'not_prepared', 'failed', 'over_budget', 'unavailable'],
  think: ['called', 'not_prepared', 'failed', 'over_budget', 'unavailable'],
  use_tool: [
    ...['observed', 'failed_again', 'verified', 'finished', 'claims_done', 'failed', 'cannot_run'],
    'spent',
  ],
  validate_code: ['valid', 'invalid', 'invalid_again', 'repairs_spent', 'destructive'],
  repair_code: ['repaired', 'needs_agent', 'too_large', 'over_budget', 'unavailable'],
  write_files: ['written', 'unfit', 'refused', 'destructive', 'cannot_run'],
  verify_task: [
    ...['passed', 'unverified', 'already_satisfied', 'failed', 'failed_again', 'refuted'],
    ...['unproven', 'repairs_spent', 'cannot_run'],
  ],
  repair_test: [
    ...['repaired', 'repeated', 'needs_agent', 'flaky', 'failed', 'too_large'],
    ...['over_budget', 'unavailable'],
  ],
  reflect: [
    ...['reflected_code', 'reflected_tests', 'reflected_tools', 'over_budget', 'unavailable'],
  ],
  checkpoint: ['proposed', 'overtaken', 'failed', 'forge_refused'],
  classify_failure: ['classified', 'rerouted', 'joined', 'parted', 'dissolved'],
  propose_recovery: ['needs_approval', 'approved', 'logged_only', 'over_budget', 'unavailable'],
  await_approval: [
    ...['approved', 'edited', 'write_anyway', 'other_strategy', 'retry', 'rejected', 'skipped'],
    ...['stale', 'waiting', 'dissolved', 'forge_refused'],
  ],
  apply_recovery: [
    'tasks_added',
    'other_model',
    'task_set_aside',
    'stale',
    'refused',
    'forge_refused',
  ],
  decide_next: ['go_on', 'limit_reached'],
  retry_deferred: ['requeued', 'nothing_left'],
  // `unposted` occurs in journals of versions that commented on each pull request.
  generate_report: ['reported', 'unposted'],
} as const

export type NodeName = keyof typeof outcomes

/** The outcomes of one node, or of a union of nodes. */
export type OutcomeOf<Name extends NodeName> = (typeof outcomes)[Name][number]

/** A node with one of its outcomes, `verify_task passed`. */
export type StepName = { [Name in NodeName]: `${Name} ${OutcomeOf<Name>}` }[NodeName]

/** Steps that ask why an attempt failed: their own errors are not the task's. */
export const isInvestigation = (node: NodeName): boolean =>
  node === 'classify_failure' || node === 'propose_recovery'

const nodeNames = Object.keys(outcomes) as NodeName[]

export const nodeSchema = z.enum(nodeNames)
export const nextNodeSchema = z.enum([...nodeNames, 'END'])
export const outcomeSchema = z.enum([...new Set(Object.values(outcomes).flat())])
