import { attemptOf } from '../domain/attempt.ts'
import type { DestructiveDecision, DestructiveOperation } from '../domain/destructive.ts'
import type { RunState } from '../domain/run-state.ts'
import { writePatch } from '../report/write-patch.ts'

/** Of a change, for the report. */
const longestPatch = 20_000

/** A patch that notes what was decided about operations of the attempt under way. */
export function recordDestructive(
  state: RunState,
  decided: Pick<DestructiveDecision, 'decision' | 'by' | 'at'> & {
    readonly operations: readonly DestructiveOperation[]
  },
): Pick<RunState, 'destructive'> {
  const { task, draft } = attemptOf(state)
  const { operations, decision, by, at } = decided
  const patch = writePatch(draft?.changes ?? [], longestPatch)
  const record = { taskId: task.id, operations, decision, by, at, patch }
  return { destructive: [...state.destructive, record] }
}

/** The attempt's approvals with one more for each of these operations; nothing waits any more. */
export function allow(
  allowed: readonly string[],
  operations: readonly DestructiveOperation[],
): { readonly allowed: readonly string[]; readonly destructive: readonly [] } {
  const fingerprints = operations.map(({ fingerprint }) => fingerprint)
  return { allowed: [...allowed, ...fingerprints], destructive: [] }
}
