/**
 * Pull requests that became part of a branch by a squash or a rebase: their content is there, their
 * commits are not, so git takes what was built on them for changes made twice.
 */
import type { PullRequest } from '../../core/ports/forge.ts'
import type { Workspace } from '../../core/ports/workspace.ts'

export interface Absorbed {
  readonly number: number
  /** Its last commit of its own. */
  readonly head: string
  /** The commit it became, and the one before it (before the first of several). */
  readonly became: string
  readonly before: string
}

/** How many pull requests are looked at, newest first, and how long a rebased one may be, in commits. */
const mostLookedAt = 100
const mostRebased = 50

/** Those that `tip` was built on and `onto` has absorbed, oldest first. */
export async function findAbsorbed(
  tip: string,
  onto: string,
  pullRequests: readonly PullRequest[],
  workspace: Workspace,
): Promise<readonly Absorbed[]> {
  const candidates: { number: number; became: string }[] = []
  for (const { number, state, mergeSha } of pullRequests.slice(0, mostLookedAt)) {
    if (state !== 'merged' || mergeSha === null) continue
    if (await workspace.contains(tip, mergeSha)) continue
    if (await workspace.contains(onto, mergeSha)) candidates.push({ number, became: mergeSha })
  }
  if (candidates.length === 0) return []
  // Their branches may be gone, but a forge keeps their last commits.
  const heads = await workspace.fetch({ pullRequests: candidates.map(({ number }) => number) })
  const found: Absorbed[] = []
  for (const { number, became } of candidates) {
    const head = heads.get(number)
    if (head === undefined || !(await isBuiltOn(tip, onto, head, workspace))) continue
    const before = await commitBefore(head, became, workspace)
    if (before !== null) found.push({ number, head, became, before })
  }
  return inOrder(await withoutCovered(found, workspace), workspace)
}

/** One that another was brought up to date with before it was merged itself comes along with that other. */
async function withoutCovered(
  found: readonly Absorbed[],
  workspace: Workspace,
): Promise<readonly Absorbed[]> {
  const left: Absorbed[] = []
  for (const each of found) {
    const covering = found.map(({ head }) => workspace.contains(head, each.became))
    if (!(await Promise.all(covering)).some(Boolean)) left.push(each)
  }
  return left
}

/** True when what the two have in common is not in `onto`: it came there in other commits, if at all. */
async function isBuiltOn(
  tip: string,
  onto: string,
  head: string,
  workspace: Workspace,
): Promise<boolean> {
  const shared = await workspace.mergeBase(tip, head)
  return shared !== null && !(await workspace.contains(onto, shared))
}

/**
 * The commit to which merging `head` would give exactly what it became: whatever came between the two
 * is nothing but the pull request. `null` when there is none, so that nothing is taken for joined that
 * is not: somebody changed it while merging.
 */
async function commitBefore(
  head: string,
  became: string,
  workspace: Workspace,
): Promise<string | null> {
  let found: string | null = null
  for (let steps = 1; steps <= mostRebased; steps += 1) {
    const before = await workspace.ancestor(became, steps)
    if (before === null) break
    const merged = await workspace.merge({
      ours: before,
      theirs: head,
      message: 'A look at what it became\n',
      strategy: 'merge',
      resolve: new Map(),
    })
    const same =
      merged.status === 'merged' &&
      (await workspace.changedBetween(merged.sha, became)).length === 0
    if (same) found = before
    // One commit of the base more, and it is no longer the same.
    else if (found !== null) break
    if (await workspace.contains(head, before)) break
  }
  return found
}

async function inOrder(
  found: readonly Absorbed[],
  workspace: Workspace,
): Promise<readonly Absorbed[]> {
  const sorted: Absorbed[] = []
  for (const each of found) {
    let place = 0
    for (const [index, { became }] of sorted.entries()) {
      if (await workspace.contains(each.became, became)) place = index + 1
    }
    sorted.splice(place, 0, each)
  }
  return sorted
}
