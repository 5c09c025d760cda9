/**
 * Handles pull requests that a squash or a rebase merged: the base has their content but not their commits, so git
 * sees branches built on them as making the same changes twice.
 */

import { resolveRoadmap } from '../../packages/roadmap/roadmap.ts'
import type { PullRequest } from '../core/ports/forge.ts'
import type { MergeOutcome, MergeRequest, Workspace } from '../core/ports/workspace.ts'
import type { Ports } from '../core/ports.ts'
import type { StackedWork } from '../tasks/start/order-stack.ts'
import { writeMergeMessage } from './report/write-commit-message.ts'

type Needs = Pick<Ports, 'workspace' | 'settings'>

export type BroughtUpToDate =
  | { readonly status: 'fresh' }
  /** A commit on top of the branch, not published yet. */
  | { readonly status: 'merged'; readonly sha: string }
  /** Only a person can resolve it. */
  | { readonly status: 'conflict'; readonly paths: readonly string[] }

/** The longest chain of pull requests merged into each other that is followed. */
const deepest = 5

/**
 * Merges a base into a pull request's branch, in memory, if they conflict or if the base has absorbed work that the
 * branch was built on (`rebuilt` checks for the latter even without a conflict). Resolves a conflict in the roadmap
 * if both sides' changes to tasks are compatible.
 *
 * @param pullRequests all pull requests of the executor, newest first
 */
export async function bringUpToDate(
  { tip: { sha: tip, ...rest }, pullRequest, onto: base }: StackedWork,
  onto: string,
  rebuilt: boolean,
  pullRequests: readonly PullRequest[],
  ports: Needs,
): Promise<BroughtUpToDate> {
  const { workspace } = ports
  const requestFor = (ours: string, { sha: theirs, what, strategy = 'merge' }: Target) => {
    const message = writeMergeMessage(what, pullRequest, rest)
    return { ours, theirs, message, strategy, resolve: new Map<string, string>() }
  }
  const target = { sha: onto, what: `Merge ${base} (${onto.slice(0, 7)})` }
  const plain = await workspace.merge(requestFor(tip, target))
  if (plain.status !== 'conflict' && !rebuilt) return { status: 'fresh' }
  const climb: Climb = {
    findAbsorbed: (ours, theirs) => findAbsorbed(ours, theirs, pullRequests, workspace),
    async merge(ours, next) {
      const merged = await mergeByMeaning(requestFor(ours, next), ports)
      return merged.status === 'nothing_to_merge' ? { status: 'merged', sha: ours } : merged
    },
  }
  const absorbed = await climb.findAbsorbed(tip, onto)
  if (plain.status !== 'conflict' && absorbed.length === 0) return { status: 'fresh' }
  const joined = await joinAbsorbed(tip, target, absorbed, climb, deepest)
  if (joined.status === 'merged') return joined
  const merged = await climb.merge(tip, target)
  return merged.status === 'merged' && merged.sha === tip ? { status: 'fresh' } : merged
}

interface Target {
  readonly sha: string
  readonly what: string
  readonly strategy?: MergeRequest['strategy']
}

type Joined = Exclude<BroughtUpToDate, { readonly status: 'fresh' }>

interface Climb {
  /** Returns the commit itself when there is nothing to merge. */
  merge(ours: string, target: Target): Promise<Joined>
  findAbsorbed(ours: string, theirs: string): Promise<readonly Absorbed[]>
}

/**
 * Merges, after a squash or a rebase, the last commit of the work that the branch was built on; the base from before
 * that work was merged; the history of the merged result, whose content is there by now; and then the target.
 */
async function joinAbsorbed(
  tip: string,
  target: Target,
  absorbed: readonly Absorbed[],
  climb: Climb,
  depth: number,
): Promise<Joined> {
  let sha = tip
  for (const { number, head, before, became } of absorbed) {
    const below = { sha: head, what: `Merge #${number} as it was` }
    const earlier = { sha: before, what: `Merge the base before #${number}` }
    const what = `Join #${number} as merged`
    const steps = [
      () => joinHead(sha, below, climb, depth),
      () => climb.merge(sha, earlier),
      () => climb.merge(sha, { sha: became, what, strategy: 'ours' }),
    ]
    for (const step of steps) {
      const merged = await step()
      if (merged.status === 'conflict') return merged
      sha = merged.sha
    }
  }
  return climb.merge(sha, target)
}

/** A pull request below may itself have absorbed another one that was squashed into it. */
async function joinHead(tip: string, target: Target, climb: Climb, depth: number): Promise<Joined> {
  const merged = await climb.merge(tip, target)
  if (merged.status === 'merged' || depth === 0) return merged
  const absorbed = await climb.findAbsorbed(tip, target.sha)
  return absorbed.length === 0 ? merged : joinAbsorbed(tip, target, absorbed, climb, depth - 1)
}

/** Merges like the workspace, but resolves a conflict in the roadmap if both sides' changes to tasks are compatible. */
async function mergeByMeaning(merge: MergeRequest, ports: Needs): Promise<MergeOutcome> {
  const { workspace, settings } = ports
  const merged = await workspace.merge(merge)
  const { roadmap } = settings
  if (merged.status !== 'conflict' || !merged.paths.includes(roadmap)) return merged
  const text = await resolve(merge, ports)
  return text === null ? merged : workspace.merge({ ...merge, resolve: new Map([[roadmap, text]]) })
}

async function resolve(
  { ours, theirs }: MergeRequest,
  { workspace, settings }: Needs,
): Promise<string | null> {
  const parting = await workspace.mergeBase(ours, theirs)
  if (parting === null) return null
  const { roadmap } = settings
  const textAt = async (sha: string) => (await workspace.readFiles(sha, [roadmap])).get(roadmap)
  const [start, our, their] = await Promise.all([parting, ours, theirs].map(textAt))
  if (start === undefined || our === undefined || their === undefined) return null
  const resolved = resolveRoadmap({ start, ours: our, theirs: their }, settings)
  return resolved.status === 'resolved' ? resolved.text : null
}

export interface Absorbed {
  readonly number: number
  /** The last commit of its own branch. */
  readonly head: string
  /** The commit it was merged as, and the one before that (before the first of several). */
  readonly became: string
  readonly before: string
}

/** The newest pull requests that are checked, and the most commits of a rebased one. */
const mostLookedAt = 100
const mostRebased = 50

/** The pull requests that `tip` was built on and `onto` has absorbed, oldest first. */
async function findAbsorbed(
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
  // Their branches may be deleted, but a forge keeps their last commits.
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

/** Drops pull requests that were merged into another one of the list before that was merged itself. */
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

/** Returns true when `onto` lacks the commit that the two share, and so has it, if at all, as other commits. */
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
 * The commit at which merging `head` gives exactly the tree of `became`, so that nothing but the pull request lies
 * between the two. `null` without one: someone changed the pull request while merging it, and treating it as merged
 * would lose that change.
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
      message: 'Compare with the merged result\n',
      strategy: 'merge',
      resolve: new Map(),
    })
    const same =
      merged.status === 'merged' &&
      (await workspace.changedBetween(merged.sha, became)).length === 0
    if (same) found = before
    // One commit of the base further back, the tree differs again.
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
