import { describe, expect, it, test } from 'vitest'
import { label } from '../../../src/core/domain/identity.ts'
import type { Checks, MergeResult, PullRequest } from '../../../src/core/ports/forge.ts'
import { mergeSet, type SetMember } from '../../../src/runs/workspace/merge-set.ts'

const pull = (number: number, facts: Partial<PullRequest> = {}): PullRequest => ({
  ...{ number, url: `#${number}`, author: 'bot', head: 'agent/T-1', headSha: `sha${number}` },
  ...{ base: 'main', state: 'open', mergeSha: null, draft: false, title: '', body: '', labels: [] },
  ...facts,
})

interface Given {
  readonly now?: Partial<PullRequest>
  readonly checks?: Checks
  readonly merge?: MergeResult
  readonly without?: boolean
  readonly absent?: boolean
  readonly reverting?: boolean
  readonly member?: Partial<SetMember>
}

/** Members of a set in one repository in memory, and the merges that were asked for. */
function set(...given: readonly Given[]) {
  const merges: string[] = []
  const of = (number: number) => given[number - 1] ?? {}
  const forge: SetMember['forge'] = {
    upsertComment: async () => ({ status: 'ok', value: null }),
    pullRequest: async (number) => pull(number, of(number).now),
    checks: async (sha) =>
      given.find(({ now }, at) => sha === (now?.headSha ?? `sha${at + 1}`))?.checks ?? 'green',
    async retarget(number, base) {
      merges.push(`${number} onto ${base}`)
      return { status: 'ok', value: null }
    },
    async merge(number, sha) {
      merges.push(`${number} ${sha}`)
      return of(number).merge ?? { status: 'merged', sha: 'm' }
    },
  }
  const members = given.map((each, at): SetMember => {
    const number = at + 1
    return {
      task: `r${number}:T-1`,
      pullRequest: each.absent ? null : pull(number, each.now),
      isDone: false,
      reverting: each.reverting ? pull(9) : null,
      ...{ base: 'main', sharedWith: null, mergesWithoutChecks: each.without ?? false, forge },
      ...each.member,
    }
  })
  return { members, merges }
}

describe('mergeSet', () => {
  it('merges in order, each at the commit that was checked', async () => {
    const { members, merges } = set(
      {},
      { now: { headSha: 'newer' } },
      { checks: 'none', without: true },
    )
    const heard: string[] = []
    const done = await mergeSet(members, (task, how) => heard.push(`${task} ${how}`))
    expect(done).toEqual({ status: 'merged', merged: ['r1:T-1', 'r2:T-1', 'r3:T-1'] })
    expect(merges).toEqual(['1 sha1', '2 newer', '3 sha3'])
    expect(heard).toEqual(['r1:T-1 merged', 'r2:T-1 merged', 'r3:T-1 merged'])
  })

  test.each<[string, Given]>([
    ['has no pull request', { absent: true }],
    ['is closed', { now: { state: 'closed' } }],
    ['is a draft', { now: { draft: true } }],
    ['has red checks', { checks: 'red' }],
    ['waits for its checks', { checks: 'pending' }],
    ['has no checks (merge-without-checks)', { checks: 'none' }],
    ['waits for its approval', { member: { approval: null } }],
    ['was pushed to after its approval', { member: { approval: { sha: 'older', login: 'ada' } } }],
    ['is a failed attempt', { now: { labels: [label.needsHuman] } }],
    ['shares its pull request with the set tax', { member: { sharedWith: 'tax' } }],
    ['waits for agent/T-9, which it is based on', { now: { base: 'agent/T-9' } }],
    ['is being reverted: merge or close #9 first', { reverting: true }],
  ])('merges nothing when one %s', async (reason, given) => {
    const { members, merges } = set({}, given)
    expect(await mergeSet(members)).toEqual({
      status: 'not_ready',
      obstacles: [{ task: 'r2:T-1', reason }],
    })
    expect(merges).toEqual([])
  })

  test.each<[string, MergeResult]>([
    ['was pushed to meanwhile: 0123456789', { status: 'moved', headSha: '0123456789abcdef' }],
    ['cannot be merged: a review is missing', { status: 'blocked', reason: 'a review is missing' }],
    ['cannot be merged: 403', { status: 'refused', code: 'forge_denied', detail: '403' }],
  ])('stops halfway where the second %s', async (reason, merge) => {
    const halfway = set({}, { merge }, {})
    expect(await mergeSet(halfway.members)).toEqual({
      ...{ status: 'halfway', merged: ['r1:T-1'], failed: { task: 'r2:T-1', reason } },
    })
    expect(halfway.merges).toHaveLength(2)
    const first = set({ merge }, {})
    expect(await mergeSet(first.members)).toEqual({
      status: 'not_ready',
      obstacles: [{ task: 'r1:T-1', reason }],
    })
  })

  it('goes on after a kill', async () => {
    const { members, merges } = set(
      { now: { state: 'merged' } },
      { absent: true, member: { isDone: true } },
      {},
      { merge: { status: 'queued' } },
    )
    expect(await mergeSet(members)).toMatchObject({ status: 'merged' })
    expect(merges).toEqual(['3 sha3', '4 sha4'])
  })

  it('waits for a merge queue before it merges the next', async () => {
    const { members, merges } = set({ merge: { status: 'queued' } }, {})
    const obstacles = [{ task: 'r1:T-1', reason: 'is in the merge queue' }]
    expect(await mergeSet(members)).toEqual({ status: 'not_ready', obstacles })
    expect(merges).toEqual(['1 sha1'])
  })

  it('reverts nothing because GitHub cannot be reached', async () => {
    const away = { status: 'refused', code: 'forge_unreachable', detail: '502' } as const
    const { members } = set({}, { merge: away })
    await expect(mergeSet(members)).rejects.toMatchObject({ code: 'forge_unreachable' })
  })

  it('merges a stack into the default branch, the bottom first', async () => {
    const stack = [
      { now: { head: 'agent/T-1' } },
      { now: { head: 'agent/T-2', base: 'agent/T-1' } },
    ]
    const { members, merges } = set(...stack)
    expect(await mergeSet(members)).toMatchObject({ status: 'merged' })
    expect(merges).toEqual(['1 sha1', '2 onto main', '2 sha2'])
    const elsewhere = set(...stack).members.map((each) => ({ ...each, forge: { ...each.forge } }))
    const obstacles = [{ task: 'r2:T-1', reason: 'waits for agent/T-1, which it is based on' }]
    expect(await mergeSet(elsewhere)).toEqual({ status: 'not_ready', obstacles })
    expect(await mergeSet(set(...stack).members.toReversed())).toEqual({
      status: 'not_ready',
      obstacles,
    })
  })
})
