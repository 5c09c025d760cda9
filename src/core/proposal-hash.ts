import { createHash } from 'node:crypto'
import { type ChangeSet, changesOf } from '../../packages/change/change.ts'
import type { DestructiveOperation } from '../../packages/judge/judge.ts'
import type { ProposedTask, Task } from '../../packages/task/task.ts'
import type { Attempt, Proposal, Strategy } from './domain/attempt.ts'

/** The action that an approval carries out. */
export type ProposalContent =
  /** Replaces one task by these. */
  | {
      readonly kind: 'recovery'
      readonly strategy: Strategy
      readonly tasks: readonly ProposedTask[]
    }
  /** Writes and publishes a change that has destructive operations. */
  | {
      readonly kind: 'destructive'
      readonly operations: readonly DestructiveOperation[]
      readonly changes: ChangeSet
    }
  /** Merges a finished task at this commit. */
  | {
      readonly kind: 'merge'
      readonly task: Pick<Task, 'id' | 'fingerprint'>
      readonly sha: string
    }

/**
 * SHA-256 hex over the whole action, for `proposalMarker`: an approval of one proposal does not approve another.
 * Equal for equal content, whatever the order of keys or of operations.
 */
export const proposalHash = (content: ProposalContent): string =>
  createHash('sha256')
    .update(JSON.stringify(partsOf(content)))
    .digest('hex')

function partsOf(content: ProposalContent): readonly unknown[] {
  if (content.kind === 'merge')
    return ['merge', content.task.id, content.task.fingerprint, content.sha]
  if (content.kind === 'recovery') {
    const tasks = content.tasks.map(({ id, title, details, files, together, model }) => [
      ...[id, title, details, files],
      ...(together ? ['together'] : []),
      ...(model === undefined ? [] : ['model', model]),
    ])
    return ['recovery', content.strategy, tasks]
  }
  const operations = content.operations.map(({ fingerprint }) => fingerprint).sort()
  const changes = content.changes.map((change) => [
    change.action,
    change.path,
    change.action === 'create' ? null : change.before,
    change.action === 'delete' ? null : change.content,
  ])
  return ['destructive', operations, changes]
}

/** The hash of a proposal to replace one task by new ones. */
export const hashOfTasks = ({ strategy, tasks }: Pick<Proposal, 'strategy' | 'tasks'>): string =>
  proposalHash({ kind: 'recovery', strategy, tasks })

/** The hash of a change with destructive operations. */
export const hashOfOperations = ({ destructive, draft }: Attempt): string =>
  proposalHash({ kind: 'destructive', operations: destructive, changes: changesOf(draft) })

/** The operations that no approval covers: a second occurrence of an approved one is not covered. */
export function notAllowed(
  operations: readonly DestructiveOperation[],
  allowed: readonly string[],
): readonly DestructiveOperation[] {
  const left = new Map<string, number>()
  for (const fingerprint of allowed) left.set(fingerprint, (left.get(fingerprint) ?? 0) + 1)
  return operations.filter(({ fingerprint }) => {
    const count = left.get(fingerprint) ?? 0
    left.set(fingerprint, count - 1)
    return count <= 0
  })
}
