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
  /** Only a person can tell what is meant. */
  | { readonly status: 'conflict'; readonly paths: readonly string[] }

/** How deep pull requests that were merged into each other are followed. */
const deepest = 5

/**
 * Merges a base into the branch of a pull request, in memory, where that is needed: they conflict, or
 * the base has absorbed what the branch was built on (`rebuilt`: find out even without a conflict).
 * A conflict in the roadmap is none where it can be told what is meant.
 *
 * @param pullRequests all of ours, newest first
 */
export async function bringUpToDate(
  work: StackedWork,
  onto: string,
  rebuilt: boolean,
  pullRequests: readonly PullRequest[],
  ports: Needs,
): Promise<BroughtUpToDate> {
  const { workspace } = ports
  const { sha: tip } = work.tip
  const target = { sha: onto, what: `Merge ${work.onto} (${onto.slice(0, 7)})` }
  const messageFor = (what: string): string => writeMergeMessage(what, work.pullRequest, work.tip)
  const plain = await workspace.merge(requestFor(tip, target, messageFor))
  if (plain.status !== 'conflict' && !rebuilt) return { status: 'fresh' }
  const absorbed = await findAbsorbed(tip, onto, pullRequests, workspace)
  if (plain.status !== 'conflict' && absorbed.length === 0) return { status: 'fresh' }
  const climb: Climb = { pullRequests, messageFor, ports }
  const joined = await joinAbsorbed(tip, target, absorbed, climb, deepest)
  if (joined.status === 'merged') return joined
  const merged = await mergeByMeaning(requestFor(tip, target, messageFor), ports)
  return merged.status === 'nothing_to_merge' ? { status: 'fresh' } : merged
}

interface Climb {
  readonly pullRequests: readonly PullRequest[]
  readonly messageFor: (what: string) => string
  readonly ports: Needs
}

interface Target {
  readonly sha: string
  readonly what: string
}

type Joined = Exclude<MergeOutcome, { readonly status: 'nothing_to_merge' }>

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
  const { messageFor, ports } = climb
  let sha = tip
  for (const { number, head, before, became } of absorbed) {
    const last = { sha: head, what: `Merge #${number} as it was` }
    const below = await joinHead(sha, last, climb, depth)
    if (below.status === 'conflict') return below
    sha = below.sha
    const steps = [
      { sha: before, what: `Merge what was there before #${number}`, strategy: 'merge' as const },
      { sha: became, what: `Join #${number} as it was merged`, strategy: 'ours' as const },
    ]
    for (const { strategy, ...step } of steps) {
      const merged = await mergeByMeaning(requestFor(sha, step, messageFor, strategy), ports)
      if (merged.status === 'conflict') return merged
      if (merged.status === 'merged') sha = merged.sha
    }
  }
  const merged = await mergeByMeaning(requestFor(sha, target, messageFor), ports)
  return merged.status === 'nothing_to_merge' ? { status: 'merged', sha } : merged
}

/** A pull request below may itself have absorbed another: one that was merged into it by a squash. */
async function joinHead(tip: string, target: Target, climb: Climb, depth: number): Promise<Joined> {
  const { pullRequests, messageFor, ports } = climb
  const merged = await mergeByMeaning(requestFor(tip, target, messageFor), ports)
  if (merged.status === 'nothing_to_merge') return { status: 'merged', sha: tip }
  if (merged.status === 'merged' || depth === 0) return merged
  const absorbed = await findAbsorbed(tip, target.sha, pullRequests, ports.workspace)
  return absorbed.length === 0 ? merged : joinAbsorbed(tip, target, absorbed, climb, depth - 1)
}

const requestFor = (
  ours: string,
  { sha: theirs, what }: Target,
  messageFor: (what: string) => string,
  strategy: MergeRequest['strategy'] = 'merge',
): MergeRequest => ({ ours, theirs, message: messageFor(what), strategy, resolve: new Map() })

/** Like the workspace's merge, but a conflict in the roadmap is no conflict where it can be told what is meant. */
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
  const { roadmap, granularity } = settings
  const parting = await workspace.mergeBase(ours, theirs)
  if (parting === null) return null
  const [start, our, their] = await Promise.all(
    [parting, ours, theirs].map(async (sha) =>
      (await workspace.readFiles(sha, [roadmap])).get(roadmap),
    ),
  )
  if (start === undefined || our === undefined || their === undefined) return null
  const resolved = resolveRoadmap({ start, ours: our, theirs: their }, { granularity })
  return resolved.status === 'resolved' ? resolved.text : null
}
