/**
 * Pull requests that became part of a branch by a squash or a rebase: their content is there, their
 * commits are not, so git takes what was built on them for changes made twice.
 */

import type { PullRequest } from '../core/ports/forge.ts'
import type { MergeOutcome, MergeRequest, Workspace } from '../core/ports/workspace.ts'
import type { Ports } from '../core/ports.ts'
import { resolveRoadmap } from '../roadmap/resolve-roadmap.ts'
import type { StackedWork } from '../roadmap/start/order-stack.ts'
import { writeMergeMessage } from './report/write-commit-message.ts'

type Needs = Pick<Ports, 'workspace' | 'settings'>

export type BroughtUpToDate =
  | { readonly status: 'fresh' }
  /** A commit on top of the branch; nothing is published yet. */
  | { readonly status: 'merged'; readonly sha: string }
  /** Only a person can resolve it. */
  | { readonly status: 'conflict'; readonly paths: readonly string[] }

/** How deep pull requests that were merged into each other are followed. */
const deepest = 5

/**
 * Merges a base into the branch of a pull request, in memory, where that is needed: they conflict, or
 * the base has absorbed what the branch was built on (`rebuilt`: find out even without a conflict).
 * A conflict in the roadmap is resolved where both sides' changes of tasks go together.
 *
 * @param pullRequests all of ours, newest first
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
  /** The commit itself where there is nothing to merge into it. */
  merge(ours: string, target: Target): Promise<Joined>
  findAbsorbed(ours: string, theirs: string): Promise<readonly Absorbed[]>
}

/**
 * After a squash or a rebase: what the branch was built on, as it was last; the base before it; what it
 * became, of which the content is there by now, so only its history; and then the target.
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
    const earlier = { sha: before, what: `Merge what was there before #${number}` }
    const what = `Join #${number} as it was merged`
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

/** A pull request below may itself have absorbed another: one that was merged into it by a squash. */
async function joinHead(tip: string, target: Target, climb: Climb, depth: number): Promise<Joined> {
  const merged = await climb.merge(tip, target)
  if (merged.status === 'merged' || depth === 0) return merged
  const absorbed = await climb.findAbsorbed(tip, target.sha)
  return absorbed.length === 0 ? merged : joinAbsorbed(tip, target, absorbed, climb, depth - 1)
}

/** Like the workspace's merge, but resolves a conflict in the roadmap where both sides' changes of tasks go together. */
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
