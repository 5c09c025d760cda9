import type { Checks, Forge, PullRequest } from '../../core/ports/forge.ts'

/** One task of a set, with its pull request as last read; `null` without one. */
export interface SetMember {
  /** `api:T-1` */
  readonly task: string
  readonly pullRequest: PullRequest | null
  /** The open pull request that reverts its merged work. */
  readonly reverting: PullRequest | null
  /** The commit that a person approved, and who; `null` without an approval. Absent: the person who runs the merge approves. */
  readonly approval?: Approval | null | undefined
  readonly forge: Pick<Forge, 'merge' | 'checks' | 'pullRequest' | 'upsertComment'>
  /** True where a pull request without any checks may be merged. */
  readonly mergesWithoutChecks: boolean
}

/** A person's approval of one commit. */
export interface Approval {
  readonly sha: string
  readonly login: string
}

export type SetMerge =
  /** Every task is merged, or in a merge queue. */
  | { readonly status: 'merged'; readonly merged: readonly string[] }
  /** Nothing was merged. */
  | { readonly status: 'not_ready'; readonly obstacles: readonly Obstacle[] }
  /** A merge failed after others: those of an atomic set must be reverted. */
  | {
      readonly status: 'halfway'
      readonly merged: readonly string[]
      readonly failed: Obstacle
    }

/** Why a task of a set is not merged. */
export interface Obstacle {
  readonly task: string
  readonly reason: string
}

export const obstacleText = ({ task, reason }: Obstacle): string => `${task} ${reason}`

/**
 * Merges the pull requests of a set in this order, each at the commit that was checked. Merges nothing unless all of them
 * are open, green and no drafts, or merged already: a killed merge continues where it stopped.
 *
 * @param heard called after each merge
 */
export async function mergeSet(
  members: readonly SetMember[],
  heard: (task: string, how: 'merged' | 'queued') => void = () => {},
): Promise<SetMerge> {
  const read = await Promise.all(members.map(readAgain))
  const obstacles = read.flatMap(({ task, reason }) => (reason === null ? [] : { task, reason }))
  if (obstacles.length > 0) return { status: 'not_ready', obstacles }
  const merged: string[] = []
  for (const member of read) {
    const { task, pullRequest } = member
    if (pullRequest === null || pullRequest.state === 'merged') {
      merged.push(task)
      continue
    }
    const reason = await mergeOne(pullRequest, member, (how) => heard(task, how))
    if (reason === null) merged.push(task)
    else if (merged.length === 0) return { status: 'not_ready', obstacles: [{ task, reason }] }
    else return { status: 'halfway', merged, failed: { task, reason } }
  }
  return { status: 'merged', merged }
}

interface ReadMember extends SetMember {
  /** Why it cannot be merged; `null` where it can. */
  readonly reason: string | null
}

async function readAgain(member: SetMember): Promise<ReadMember> {
  const { pullRequest: known, forge } = member
  const pullRequest = known === null ? null : await forge.pullRequest(known.number)
  return { ...member, pullRequest, reason: await whyNot(pullRequest, member) }
}

async function whyNot(
  pullRequest: PullRequest | null,
  { reverting, approval, forge, mergesWithoutChecks }: SetMember,
): Promise<string | null> {
  if (reverting !== null) return `is being reverted: merge or close #${reverting.number} first`
  if (pullRequest === null) return 'has no pull request'
  const { state, draft, headSha } = pullRequest
  if (state === 'merged') return null
  if (state === 'closed') return 'is closed'
  if (draft) return 'is a draft'
  if (approval === null) return 'waits for its approval'
  if (approval !== undefined && approval.sha !== headSha) return 'was pushed to after its approval'
  return ofChecks[await forge.checks(headSha)](mergesWithoutChecks)
}

const ofChecks: Readonly<Record<Checks, (mergesWithoutChecks: boolean) => string | null>> = {
  green: () => null,
  pending: () => 'waits for its checks',
  red: () => 'has red checks',
  none: (may) => (may ? null : 'has no checks (merge-without-checks)'),
}

/** `null` once it is merged, or why it is not. */
async function mergeOne(
  { number, headSha }: PullRequest,
  { forge, approval }: Pick<SetMember, 'forge' | 'approval'>,
  heard: (how: 'merged' | 'queued') => void,
): Promise<string | null> {
  const result = await forge.merge(number, headSha, approval?.login)
  switch (result.status) {
    case 'merged':
    case 'queued':
      heard(result.status)
      return null
    case 'moved':
      return `was pushed to meanwhile: ${result.headSha.slice(0, 10)}`
    case 'blocked':
      return `cannot be merged: ${withoutStop(result.reason)}`
    case 'refused':
      return `cannot be merged: ${withoutStop(result.detail)}`
  }
}

/** As a part of our sentence. */
const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '')
