import { describe, expect, it, test } from 'vitest'
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
  readonly approval?: SetMember['approval']
}

/** Members of a set on forges in memory, and the merges that were asked for. */
function set(...given: readonly Given[]) {
  const merges: string[] = []
  const members = given.map((each, at): SetMember => {
    const number = at + 1
    return {
      task: `r${number}:T-1`,
      pullRequest: each.absent ? null : pull(number),
      reverting: each.reverting ? pull(9) : null,
      ...('approval' in each && { approval: each.approval }),
      mergesWithoutChecks: each.without ?? false,
      forge: {
        upsertComment: async () => ({ status: 'ok', value: null }),
        pullRequest: async () => pull(number, each.now),
        checks: async (sha) =>
          sha === (each.now?.headSha ?? `sha${number}`) ? (each.checks ?? 'green') : 'red',
        async merge(which, sha) {
          merges.push(`${which} ${sha}`)
          return each.merge ?? { status: 'merged', sha: 'm' }
        },
      },
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
    ['waits for its approval', { approval: null }],
    ['was pushed to after its approval', { approval: { sha: 'older', login: 'ada' } }],
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
      {},
      { merge: { status: 'queued' } },
    )
    expect(await mergeSet(members)).toMatchObject({ status: 'merged' })
    expect(merges).toEqual(['2 sha2', '3 sha3'])
  })
})
