import { branchOf } from '../../core/domain/branches.ts'
import { trailer } from '../../core/domain/identity.ts'
import type { CommitRecord, Workspace } from '../../core/ports/workspace.ts'
import type { Start } from './find-start.ts'

type Reads = Pick<Workspace, 'ancestor' | 'contains' | 'mergeBase' | 'history'>

/**
 * Where a task starts whose branch exists: from the branch itself when someone else's commits are on it, because an
 * attempt from anywhere else would drop their content. A merge of the base by hand is not such a commit.
 *
 * @param head the branch's last commit; `null` without a branch
 */
export async function startOnOthers(
  id: string,
  start: Start,
  head: string | null,
  workspace: Reads,
): Promise<Start> {
  if (start.status === 'waits' || head === null) return start
  if (await workspace.contains(start.sha, head)) return start
  if ((await workspace.mergeBase(head, start.sha)) === null) {
    // The branch of an interrupted run may be gone.
    if ((await workspace.ancestor(head, 0)) === null) return start
    const reason = `${branchOf(id)} has no history in common with ${start.branch}: rename or delete it`
    return { status: 'waits', reason }
  }
  for (const commit of await workspace.history(head, { without: start.sha })) {
    if (await isTheirs(commit, start.sha, workspace)) return { ...start, sha: head }
  }
  return start
}

async function isTheirs(
  { trailers, parents }: CommitRecord,
  base: string,
  workspace: Reads,
): Promise<boolean> {
  if (trailers[trailer.task] !== undefined) return false
  const [, ...merged] = parents
  const isIn = await Promise.all(merged.map((parent) => workspace.contains(base, parent)))
  return merged.length === 0 || isIn.includes(false)
}
