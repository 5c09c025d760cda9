import { ExecutorError } from '../../core/domain/errors.ts'
import { label } from '../../core/domain/identity.ts'
import type { Checks, Forge, ForgeRefusal, PullRequest } from '../../core/ports/forge.ts'

/** One task of a set, with its pull request as last read; `null` without one. */
export interface SetMember {
  /** `api:T-1` */
  readonly task: string
  readonly pullRequest: PullRequest | null
  /** Ticked in the base, with or without a pull request. */
  readonly isDone: boolean
  /** The open pull request that reverts its merged work. */
  readonly reverting: PullRequest | null
  /** The commit that a person approved, and who; `null` without an approval. Absent: the person who runs the merge approves. */
  readonly approval?: Approval | null | undefined
  /** True where GitHub knows that it conflicts with its base. */
  readonly conflicts?: boolean
  readonly forge: Pick<Forge, 'merge' | 'checks' | 'pullRequest' | 'retarget' | 'upsertComment'>
  /** The default branch: merged elsewhere, the work is not in it. */
  readonly base: string
  /** Another set with a task of the same pull request. */
  readonly sharedWith: string | null
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
  /** Nothing was merged, or only what had to be merged before this. */
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
 * are open, green and no drafts, or merged already: a killed merge continues where it stopped. Behind one in a merge
 * queue, the others wait.
 *
 * @param heard called after each merge
 * @throws ExecutorError `forge_unreachable`: merge it again later
 */
export async function mergeSet(
  members: readonly SetMember[],
  heard: (task: string, how: 'merged' | 'queued') => void = () => {},
): Promise<SetMerge> {
  const read = await Promise.all(members.map((member) => readAgain(member, members)))
  const obstacles = read.flatMap(({ task, reason }) => (reason === null ? [] : { task, reason }))
  if (obstacles.length > 0) return { status: 'not_ready', obstacles }
  const merged: string[] = []
  const last = read.findLast((each) => each.pullRequest?.state === 'open')
  for (const member of read) {
    const { task, pullRequest } = member
    if (pullRequest === null || pullRequest.state === 'merged') {
      merged.push(task)
      continue
    }
    const done = await mergeOne(pullRequest, member)
    if (done.status === 'not_merged') {
      const failed = { task, reason: done.reason }
      return merged.length === 0
        ? { status: 'not_ready', obstacles: [failed] }
        : { status: 'halfway', merged, failed }
    }
    heard(task, done.status)
    if (done.status === 'queued' && member !== last)
      return { status: 'not_ready', obstacles: [{ task, reason: 'is in the merge queue' }] }
    merged.push(task)
  }
  return { status: 'merged', merged }
}

interface ReadMember extends SetMember {
  /** Why it cannot be merged; `null` where it can. */
  readonly reason: string | null
}

async function readAgain(member: SetMember, members: readonly SetMember[]): Promise<ReadMember> {
  const { pullRequest: known, forge } = member
  const pullRequest = known === null ? null : await forge.pullRequest(known.number)
  return { ...member, pullRequest, reason: await whyNot(pullRequest, member, members) }
}

async function whyNot(
  pullRequest: PullRequest | null,
  member: SetMember,
  members: readonly SetMember[],
): Promise<string | null> {
  const { reverting, approval, forge, sharedWith, mergesWithoutChecks } = member
  if (reverting !== null) return `is being reverted: merge or close #${reverting.number} first`
  if (pullRequest === null) return member.isDone ? null : 'has no pull request'
  const { state, draft, headSha, labels, base } = pullRequest
  if (state === 'merged') return null
  if (state === 'closed') return 'is closed'
  if (draft) return 'is a draft'
  if (member.conflicts) return `conflicts with ${base}`
  if (labels.includes(label.needsHuman)) return 'is a failed attempt'
  if (sharedWith !== null) return `shares its pull request with the set ${sharedWith}`
  const before = members.slice(0, members.indexOf(member))
  const isBelow = (each: SetMember) => each.forge === forge && each.pullRequest?.head === base
  if (base !== member.base && !before.some(isBelow))
    return `waits for ${base}, which it is based on`
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

type MergedOne =
  | { readonly status: 'merged' | 'queued' }
  | { readonly status: 'not_merged'; readonly reason: string }

/** Merges it into the default branch: those that it is based on are merged by then. */
async function mergeOne(
  { number, headSha, base }: PullRequest,
  member: SetMember,
): Promise<MergedOne> {
  const { forge, approval } = member
  const retargeted = base === member.base ? null : await forge.retarget(number, member.base)
  if (retargeted?.status === 'refused') return notMerged(retargeted)
  const result = await forge.merge(number, headSha, approval?.login)
  switch (result.status) {
    case 'merged':
    case 'queued':
      return { status: result.status }
    case 'moved':
      return {
        status: 'not_merged',
        reason: `was pushed to meanwhile: ${result.headSha.slice(0, 10)}`,
      }
    case 'blocked':
      return { status: 'not_merged', reason: `cannot be merged: ${withoutStop(result.reason)}` }
    case 'refused':
      return notMerged(result)
  }
}

/** What passes by itself is no reason to revert anything. */
function notMerged({ code, detail }: ForgeRefusal): MergedOne {
  if (code === 'forge_unreachable') throw new ExecutorError(code, detail)
  return { status: 'not_merged', reason: `cannot be merged: ${withoutStop(detail)}` }
}

/** As a part of our sentence. */
const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '')
