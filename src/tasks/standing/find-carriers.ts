import { branchOf } from '../../core/domain/branches.ts'
import { leftGroup, tasksInBody, tasksOfTip } from '../../core/domain/identity.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type { BranchTip } from '../../core/ports/workspace.ts'

/** The branch of a group that one of its tasks is on. */
export interface Carrier {
  readonly head: string
  /** A person took the task out of the group, with these words of it. */
  readonly left?: { readonly fingerprint: string; readonly why: 'retry' | 'skip' } | undefined
}

/**
 * The branches that hold tasks of groups, by task: the first one's branch. A task with a branch or a newer pull
 * request of its own has left its group.
 *
 * @param pullRequests the newest of each head branch
 */
export function findCarriers(
  branches: ReadonlyMap<string, BranchTip>,
  pullRequests: ReadonlyMap<string, PullRequest>,
): ReadonlyMap<string, Carrier> {
  const found = new Map<string, Carrier & { readonly number: number }>()
  const note = (ids: readonly string[], head: string, number: number, body = '') => {
    const left = leftGroup(body)
    const isGroup = ids.length > 1 && ids.some((id) => branchOf(id) === head)
    for (const id of isGroup ? ids : []) {
      const own = branchOf(id)
      const hasOwn = branches.has(own) || (pullRequests.get(own)?.number ?? -1) > number
      const isOlder = (found.get(id)?.number ?? -1) > number
      if ((own === head || !hasOwn) && !isOlder) found.set(id, { head, number, left: left.get(id) })
    }
  }
  for (const { head, number, body } of pullRequests.values()) {
    note(idsOf(tasksInBody(body)), head, number, body)
  }
  for (const tip of branches.values()) {
    if (!pullRequests.has(tip.name)) note(idsOf(tasksOfTip(tip)), tip.name, 0)
  }
  return found
}

const idsOf = (tasks: readonly { readonly id: string }[]): readonly string[] =>
  tasks.map(({ id }) => id)
