import { readTaskMarker } from '../../core/domain/identity.ts'
import type { Task } from '../../core/domain/task.ts'
import { branchOf } from '../../core/domain/task-id.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type { BranchTip } from '../../core/ports/workspace.ts'
import { untouchedResult } from './untouched-result.ts'

/**
 * The verdict on a task whose pull request was merged. One that was merged into another branch than the
 * default one is not done before that branch is merged, too. Nothing where the task has other words
 * now, and for a person who asks for the task once more when its work has got lost.
 */
export function judgeMerged(
  task: Task,
  { number, url, base, body }: PullRequest,
  given: {
    /** By head. */
    readonly pullRequests: ReadonlyMap<string, PullRequest>
    readonly branches: ReadonlyMap<string, BranchTip>
    /** The default branch. */
    readonly base: string
    readonly asked: boolean
  },
): TaskResult | undefined {
  const pullRequest = { number, url }
  if (readTaskMarker(body)?.fingerprint !== task.fingerprint) return undefined
  if (base === given.base) {
    const facts = { branch: branchOf(task.id), pullRequest }
    return untouchedResult(task, { verdict: 'done', reason: `merged as #${number}`, ...facts })
  }
  const holder = lastHolder(base, given.pullRequests, given.base)
  const tip = holder === null ? undefined : given.branches.get(holder)
  if (tip !== undefined) {
    // What needs this task starts from where its work is now.
    return untouchedResult(task, {
      verdict: 'in_review',
      reason: `merged as #${number} into ${holder}, which waits to be merged`,
      branch: tip.name,
      sha: tip.sha,
      pullRequest,
    })
  }
  if (given.asked) return undefined
  // Its tick would be in the roadmap if its work had come along.
  const reason = `#${number} was merged into ${base}, and did not come to ${given.base} with it; name the task to do it again`
  return untouchedResult(task, { verdict: 'waiting', reason, pullRequest })
}

/** The unmerged branch that the work is on now; `null` when the last one went to the default branch. */
function lastHolder(
  base: string,
  pullRequests: ReadonlyMap<string, PullRequest>,
  trunk: string,
): string | null {
  const seen = new Set<string>()
  let now = base
  while (now !== trunk && !seen.has(now)) {
    const below = pullRequests.get(now)
    if (below?.state !== 'merged') return now
    seen.add(now)
    now = below.base
  }
  return null
}
