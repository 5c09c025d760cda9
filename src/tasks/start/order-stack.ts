import type { PullRequest } from '../../core/ports/forge.ts'
import type { BranchTip, RepositoryView } from '../../core/ports/workspace.ts'

/** An open pull request of the executor and the branch it belongs on. */
export interface StackedWork {
  readonly pullRequest: PullRequest
  readonly tip: BranchTip
  /** The branch to merge it into: its base, or the branch that its base was merged into. */
  readonly onto: string
  /** A pull request below it that was closed without merging and whose branch still exists. */
  readonly closedBelow: PullRequest | null
}

/**
 * The open pull requests, parents before children, each with the base it belongs on: the branch that its base was
 * merged into, or the default branch when its base is gone. Leaves out pull requests on other people's branches, and
 * those whose own branch is gone.
 */
export function orderStack(
  pullRequests: readonly PullRequest[],
  view: RepositoryView,
): readonly StackedWork[] {
  const branches = new Map(view.branches.map((branch) => [branch.name, branch]))
  const byHead = newestByHead(pullRequests)
  const work = pullRequests.flatMap((pullRequest) => {
    const tip = branches.get(pullRequest.head)
    if (pullRequest.state !== 'open' || tip === undefined) return []
    const onto = destination(pullRequest.base, byHead, branches, view.base.branch)
    const below = byHead.get(onto ?? '')
    const closedBelow = below?.state === 'closed' ? below : null
    return onto === null ? [] : [{ pullRequest, tip, onto, closedBelow }]
  })
  const depths = new Map<StackedWork, number>()
  const bases = new Map(work.map((each) => [each.pullRequest.head, each.onto]))
  for (const each of work) depths.set(each, depthOf(each.onto, bases))
  return work.toSorted(
    (a, b) =>
      (depths.get(a) ?? 0) - (depths.get(b) ?? 0) || a.pullRequest.number - b.pullRequest.number,
  )
}

/** The pull request of each branch: an open one first, else the newest. */
export function newestByHead(
  pullRequests: readonly PullRequest[],
): ReadonlyMap<string, PullRequest> {
  const byHead = new Map<string, PullRequest>()
  for (const pullRequest of pullRequests) {
    const known = byHead.get(pullRequest.head)
    const better = known === undefined || (known.state !== 'open' && pullRequest.state === 'open')
    if (better) byHead.set(pullRequest.head, pullRequest)
  }
  return byHead
}

/** Follows merged bases to the branch that has the work now; two merged into each other lead to the trunk. */
export function lastHolder(
  base: string,
  byHead: ReadonlyMap<string, PullRequest>,
  trunk: string,
): string {
  const seen = new Set<string>()
  let now = base
  while (now !== trunk && !seen.has(now)) {
    const below = byHead.get(now)
    if (!isOurBranch(now) || below?.state !== 'merged') return now
    seen.add(now)
    now = below.base
  }
  return trunk
}

const isOurBranch = (name: string): boolean => /^(?:agent|executor\/recovery)\//.test(name)

/** The branch that can still take the work; `null` when it is not the executor's. */
function destination(
  base: string,
  byHead: ReadonlyMap<string, PullRequest>,
  branches: ReadonlyMap<string, BranchTip>,
  trunk: string,
): string | null {
  const holder = lastHolder(base, byHead, trunk)
  if (holder !== trunk && !isOurBranch(holder)) return null
  return branches.has(holder) ? holder : trunk
}

function depthOf(onto: string, bases: ReadonlyMap<string, string>): number {
  let depth = 0
  let now: string | undefined = onto
  while (now !== undefined && depth <= bases.size) {
    depth += 1
    now = bases.get(now)
  }
  return depth
}
