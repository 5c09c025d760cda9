import type { Answer } from '../../core/domain/answer.ts'
import { attemptOf, changesOf, patchAttempt } from '../../core/domain/attempt.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import { joinPatches, type StatePatch } from '../../core/domain/change-state.ts'
import type { DestructiveDecision, DestructiveOperation } from '../../core/domain/destructive.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { writePatch } from '../../text/markdown/write-patch.ts'
import { startAnew, turnDown } from './decide-recovery.ts'

/** Of a change, for the report. */
const longestPatch = 20_000

/** A patch that notes what was decided about operations of the attempt under way. */
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

/** Notes the operations that go through unasked, since the settings say so. */
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

/** The attempt's approvals with one more for each of these operations; nothing waits any more. */
export function allow(
  allowed: readonly string[],
  operations: readonly DestructiveOperation[],
): { readonly allowed: readonly string[]; readonly destructive: readonly [] } {
  const fingerprints = operations.map(({ fingerprint }) => fingerprint)
  return { allowed: [...allowed, ...fingerprints], destructive: [] }
}

/**
 * What a person's answer about destructive operations means: an approval covers just these, and the
 * change stays as it is.
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
