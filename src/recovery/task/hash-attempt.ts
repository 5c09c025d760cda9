import { changesOf } from '../../core/domain/attempt.ts'
import type { Attempt, Proposal } from '../../core/domain/run-state.ts'
import { proposalHash } from '../../core/proposal-hash.ts'

/** What is put to the vote by new tasks in place of one. */
export const hashOfTasks = ({ strategy, tasks }: Pick<Proposal, 'strategy' | 'tasks'>): string =>
  proposalHash({ kind: 'recovery', strategy, tasks })

/** What is put to the vote by a change with destructive operations. */
export const hashOfOperations = ({ destructive, draft }: Attempt): string =>
  proposalHash({ kind: 'destructive', operations: destructive, changes: changesOf(draft) })
