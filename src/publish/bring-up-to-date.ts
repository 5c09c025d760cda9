import type { PullRequest } from '../core/ports/forge.ts'
import type { MergeOutcome, MergeRequest } from '../core/ports/workspace.ts'
import type { Ports } from '../core/ports.ts'
import { resolveRoadmap } from '../roadmap/resolve-roadmap.ts'
import { type Absorbed, findAbsorbed } from '../roadmap/start/find-absorbed.ts'
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
