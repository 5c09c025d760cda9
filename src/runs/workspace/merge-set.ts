import type { Checks, Forge, PullRequest } from '../../core/ports/forge.ts'

/** One task of a set, with its pull request as last read; `null` without one. */
export interface SetMember {
  /** `api:T-1` */
  readonly task: string
  readonly pullRequest: PullRequest | null
  readonly forge: Pick<Forge, 'merge' | 'checks' | 'pullRequest' | 'upsertComment'>
  /** True where a pull request without any checks may be merged. */
  readonly mergesWithoutChecks: boolean
}

export type SetMerge =
  /** Every task is merged, or in a merge queue. */
  | { readonly status: 'merged'; readonly merged: readonly string[] }
  /** Nothing was merged. */
  | { readonly status: 'not_ready'; readonly reasons: readonly string[] }
  /** A merge failed after others: those of an atomic set must be reverted. */
  | {
      readonly status: 'halfway'
      readonly merged: readonly string[]
      readonly failed: string
      readonly reason: string
    }

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
  const reasons = read.flatMap(({ task, obstacle }) =>
    obstacle === null ? [] : `${task} ${obstacle}`,
  )
  if (reasons.length > 0) return { status: 'not_ready', reasons }
  const merged: string[] = []
  for (const { task, pullRequest, forge } of read) {
    if (pullRequest === null || pullRequest.state === 'merged') {
      merged.push(task)
      continue
    }
    const reason = await mergeOne(pullRequest, forge, (how) => heard(task, how))
    if (reason === null) merged.push(task)
    else if (merged.length === 0) return { status: 'not_ready', reasons: [`${task} ${reason}`] }
    else return { status: 'halfway', merged, failed: task, reason }
  }
  return { status: 'merged', merged }
}

interface ReadMember extends SetMember {
  /** Why it cannot be merged; `null` where it can. */
  readonly obstacle: string | null
}

async function readAgain(member: SetMember): Promise<ReadMember> {
  const { pullRequest: known, forge, mergesWithoutChecks } = member
  const pullRequest = known === null ? null : await forge.pullRequest(known.number)
  const obstacle = async (): Promise<string | null> => {
    if (pullRequest === null) return 'has no pull request'
    if (pullRequest.state === 'merged') return null
    if (pullRequest.state === 'closed') return 'is closed'
    if (pullRequest.draft) return 'is a draft'
    return obstacles[await forge.checks(pullRequest.headSha)](mergesWithoutChecks)
  }
  return { ...member, pullRequest, obstacle: await obstacle() }
}

const obstacles: Readonly<Record<Checks, (mergesWithoutChecks: boolean) => string | null>> = {
  green: () => null,
  pending: () => 'waits for its checks',
  red: () => 'has red checks',
  none: (may) => (may ? null : 'has no checks (merge-without-checks)'),
}

/** `null` once it is merged, or why it is not. */
async function mergeOne(
  { number, headSha }: PullRequest,
  forge: Pick<Forge, 'merge'>,
  heard: (how: 'merged' | 'queued') => void,
): Promise<string | null> {
  const result = await forge.merge(number, headSha)
  switch (result.status) {
    case 'merged':
    case 'queued':
      heard(result.status)
      return null
    case 'moved':
      return `was pushed to meanwhile: ${result.headSha.slice(0, 10)}`
    case 'blocked':
      return `cannot be merged: ${result.reason}`
    case 'refused':
      return `cannot be merged: ${result.detail}`
  }
}
