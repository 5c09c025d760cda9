import { changesOf } from '../../../packages/change/change.ts'
import type { DestructiveOperation } from '../../../packages/judge/judge.ts'
import type { Answer } from '../../core/domain/answer.ts'
import type { Attempt, Proposal, Strategy } from '../../core/domain/attempt.ts'
import {
  attemptOf,
  fileVerdict,
  joinPatches,
  patchAttempt,
  type StateFacts,
  type StatePatch,
  untried,
} from '../../core/domain/change-state.ts'
import type { Decision, DestructiveDecision, RunState } from '../../core/domain/run-state.ts'
import { writePatch } from '../../core/write-patch.ts'
import { checkProposedTasks } from './check-proposed-tasks.ts'
import { tellFailure } from './tell-failure.ts'

export type DecisionOutcome =
  | 'approved'
  | 'edited'
  | 'other_strategy'
  | 'retry'
  | 'rejected'
  | 'skipped'
  | 'stale'

export interface Decided {
  readonly outcome: DecisionOutcome
  readonly patch: StatePatch
}

/**
 * Translates a person's answer to a proposal, recording who answered and when.
 *
 * @param others ids that new tasks may not use
 */
export function decideRecovery(
  state: RunState,
  proposal: Proposal,
  answer: Answer,
  given: { readonly at: string; readonly others: readonly string[] },
): Decided {
  const record = (decision: Decision, decided = proposal) =>
    recordDecision(state, decided, decision, { by: answer.by, at: given.at })
  const instead = (strategy: Strategy): Decided => {
    const wish = { by: answer.by, text: answer.text }
    const other: Proposal = { ...proposal, strategy, tasks: [], wish }
    const patch = joinPatches(record('changed', other), patchAttempt(state, asked(other)))
    return { outcome: 'other_strategy', patch }
  }
  switch (answer.choice) {
    case 'approve':
      return {
        outcome: 'approved',
        patch: joinPatches(record('approved'), patchAttempt(state, { proposal })),
      }
    case 'edit':
      return edit(state, proposal, answer, given)
    case 'decompose':
      return instead('DECOMPOSE')
    case 'rewrite':
      return instead('REWRITE')
    case 'defer':
      return instead('DEFER')
    case 'retry':
      return { outcome: 'retry', patch: joinPatches(record('retried'), startAnew(state)) }
    default:
      return turnDown(state, answer.choice === 'skip' ? 'skipped' : 'rejected', answer.by, record)
  }
}

/** Ends the task by a person's decision. */
function turnDown<Verdict extends 'skipped' | 'rejected'>(
  state: RunState,
  verdict: Verdict,
  by: string,
  record: (decision: 'rejected') => StatePatch,
): { readonly outcome: Verdict; readonly patch: StatePatch } {
  const filed = fileVerdict(state, verdict, { reason: `${verdict} by ${by}` })
  return { outcome: verdict, patch: joinPatches(record('rejected'), filed) }
}

/** A person's own tasks count as approved once they fit into a roadmap. */
function edit(
  state: RunState,
  proposal: Proposal,
  answer: Answer,
  { at, others }: { readonly at: string; readonly others: readonly string[] },
): Decided {
  const strategy = answer.tasks.length === 1 ? 'REWRITE' : 'DECOMPOSE'
  const { task } = attemptOf(state)
  const checked = checkProposedTasks(answer.tasks, task, strategy, others, 'person')
  if (checked.status === 'refused') {
    const reason = `the list of ${answer.by} cannot be used: ${checked.reason}`
    return { outcome: 'stale', patch: fileVerdict(state, 'waiting', { reason }) }
  }
  const edited: Proposal = { ...proposal, strategy, tasks: checked.tasks }
  const record = recordDecision(state, edited, 'edited', { by: answer.by, at })
  return {
    outcome: 'edited',
    patch: joinPatches(record, patchAttempt(state, asked(edited))),
  }
}

/** Replaces the question that waited before. */
const asked = (proposal: Proposal): Partial<Attempt> => ({ proposal, destructive: [] })

/** Restarts the task from scratch: counters are zero, spending is kept. */
function startAnew(state: RunState): { readonly attempt: Attempt } {
  const attempt = attemptOf(state)
  return {
    attempt: {
      ...attempt,
      ...untried,
      earlier: tellFailure(attempt) || attempt.earlier,
      number: attempt.number + 1,
    },
  }
}

/** Returns a patch that records a decision about the current attempt. */
export function recordDecision(
  state: RunState,
  proposal: Proposal,
  decision: Decision,
  { by, at }: { readonly by: string; readonly at: string },
): StateFacts<'record.recoveries'> {
  const { id: taskId } = attemptOf(state).task
  return {
    record: { recoveries: [...state.record.recoveries, { taskId, proposal, decision, by, at }] },
  }
}

/** In characters, for the report. */
const longestPatch = 20_000

/** Returns a patch that records a decision about operations of the current attempt. */
export function recordDestructive(
  state: RunState,
  decided: Pick<DestructiveDecision, 'decision' | 'by' | 'at'> & {
    readonly operations: readonly DestructiveOperation[]
  },
): StateFacts<'record.destructive'> {
  const { task, draft } = attemptOf(state)
  const { operations, decision, by, at } = decided
  const patch = writePatch(changesOf(draft), longestPatch)
  const record = { taskId: task.id, operations, decision, by, at, patch }
  return { record: { destructive: [...state.record.destructive, record] } }
}

/** Records the operations that the settings let through unasked. */
export const recordUnasked = (
  state: RunState,
  operations: readonly DestructiveOperation[],
  at: string,
): StateFacts<'record.destructive'> =>
  operations.length === 0
    ? { record: { destructive: state.record.destructive } }
    : recordDestructive(state, {
        operations,
        decision: 'approved',
        by: 'pause-destructive: false',
        at,
      })

/** Adds one approval for each of these operations; none waits any longer. */
export function allow(
  allowed: readonly string[],
  operations: readonly DestructiveOperation[],
): { readonly allowed: readonly string[]; readonly destructive: readonly [] } {
  const fingerprints = operations.map(({ fingerprint }) => fingerprint)
  return { allowed: [...allowed, ...fingerprints], destructive: [] }
}

/**
 * Translates a person's answer about destructive operations. An approval covers exactly these, and the change stays
 * the same.
 */
export function decideOperations(
  state: RunState,
  answer: Answer,
  at: string,
): {
  readonly outcome: 'write_anyway' | 'retry' | 'rejected' | 'skipped'
  readonly patch: StatePatch
} {
  const { destructive: operations, allowed } = attemptOf(state)
  const record = (decision: DestructiveDecision['decision']) =>
    recordDestructive(state, { operations, decision, by: answer.by, at })
  switch (answer.choice) {
    case 'approve': {
      const approved = patchAttempt(state, allow(allowed, operations))
      return { outcome: 'write_anyway', patch: joinPatches(record('approved'), approved) }
    }
    case 'retry':
      return { outcome: 'retry', patch: joinPatches(record('rejected'), startAnew(state)) }
    default:
      return turnDown(state, answer.choice === 'reject' ? 'rejected' : 'skipped', answer.by, record)
  }
}
