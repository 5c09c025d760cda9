import { describe, expect, it } from 'vitest'
import { laterMarker, outsiderMarker, replyMarker } from '../../../src/core/domain/reply-marker.ts'
import type { OpenPullRequest, Remark } from '../../../src/core/ports/discussion.ts'
import { findUnanswered } from '../../../src/runs/commands/find-unanswered.ts'

const ann = { id: 5, login: 'ann', isBot: false }
const us = { id: 1, login: 'executor[bot]', isBot: true }

function aRemark(facts: Partial<Remark> = {}): Remark {
  const createdAt = facts.createdAt ?? '2026-02-01T10:00:00Z'
  return {
    ...{ kind: 'comment', id: 1, on: 7, author: ann, isOurs: false, body: '/approve' },
    ...{ createdAt, updatedAt: createdAt, commit: null, verdict: null, path: null, line: null },
    ...facts,
  }
}

const aPull = (facts: Partial<OpenPullRequest> = {}): OpenPullRequest => ({
  ...{ number: 7, head: 'agent/T-1', headSha: 'a', base: 'main', labels: [], conflicts: null },
  reviews: [],
  ...facts,
})

function find(
  remarks: readonly Remark[],
  more: { own?: Remark; pull?: OpenPullRequest; mergeOnApprove?: boolean } = {},
): readonly number[] {
  const { own = null, pull = aPull(), mergeOnApprove = true } = more
  const overview = { pullRequests: [pull], issues: [], dashboard: null, linesQuietSince: null }
  const place = { overview, pullRequests: [pull], self: us.login, now: '2026-02-10T10:00:00Z' }
  return findUnanswered({ own, remarks, mergeOnApprove, ...place }).map(({ id }) => id)
}

const replyTo = (remark: Remark, more = ''): Remark =>
  aRemark({
    id: 900 + remark.id,
    author: us,
    isOurs: true,
    body: `${replyMarker(remark)}\n${more}\nDone.`,
  })

describe('findUnanswered', () => {
  it('gives the oldest first, each once', () => {
    const [late, early] = [
      aRemark({ id: 1, createdAt: '2026-02-02T10:00:00Z' }),
      aRemark({ id: 2 }),
    ]
    expect(find([late, early], { own: late })).toEqual([2, 1])
  })

  it.each<[string, Remark, readonly number[]]>([
    ['a reply of ours', replyTo(aRemark()), []],
    ['a reply that waits', replyTo(aRemark(), laterMarker(aRemark())), [1]],
    ["another's reply", { ...replyTo(aRemark()), isOurs: false, author: ann }, [1]],
    ['a reply of another program in our name', { ...replyTo(aRemark()), isOurs: false }, [1]],
    ['a reply to another kind', replyTo(aRemark({ kind: 'review_comment' })), [1]],
    [
      'a reply that is quoted',
      aRemark({ id: 9, author: us, body: `> ${replyMarker(aRemark())}` }),
      [1],
    ],
    ['a refusal of its author', replyTo(aRemark({ id: 50 }), outsiderMarker(ann)), []],
    ['a refusal of another', replyTo(aRemark({ id: 50 }), outsiderMarker({ id: 6 })), [1]],
  ])('knows %s', (_, reply, left) => {
    expect(find([aRemark(), reply])).toEqual(left)
  })

  it('serves the event of somebody who was told before: he may be a writer now', () => {
    expect(find([replyTo(aRemark({ id: 50 }), outsiderMarker(ann))], { own: aRemark() })).toEqual([
      1,
    ])
  })

  it.each<[string, Partial<Remark>]>([
    ['edited', { updatedAt: '2026-02-01T10:00:01Z' }],
    ['older than a fortnight', { createdAt: '2026-01-27T09:59:59Z' }],
    ['elsewhere', { on: 8 }],
    ['prose', { body: 'Fine.' }],
    ["a bot's", { author: { ...ann, isBot: true } }],
  ])('leaves out what is %s', (_, facts) => {
    expect(find([aRemark(facts)])).toEqual([])
  })

  it('looks no further back than replies are known', () => {
    const many = Array.from({ length: 300 }, (_, at) =>
      aRemark({ id: 100 + at, body: 'x', createdAt: '2026-02-05T10:00:00Z' }),
    )
    expect(find([aRemark(), ...many.slice(1)])).toEqual([])
    expect(find([aRemark(), ...many.slice(2)])).toEqual([1])
  })

  it('takes of a review the last verdict, and a bare approval where it does something', () => {
    const review = (id: number, verdict: Remark['verdict'], body = '') =>
      aRemark({ kind: 'review', id, verdict, body, createdAt: `2026-02-01T10:00:0${id}Z` })
    const pull = (...reviews: readonly Remark[]) => aPull({ reviews })
    expect(find([], { pull: pull(review(1, 'approved'), review(2, 'changes_requested')) })).toEqual(
      [2],
    )
    expect(find([], { pull: pull(review(1, 'approved', '/skip'), review(2, 'approved')) })).toEqual(
      [1, 2],
    )
    expect(find([], { pull: pull(review(1, 'approved')), mergeOnApprove: false })).toEqual([])
    expect(
      find([], {
        pull: { ...pull(review(1, 'approved')), head: 'executor/recovery/T-1' },
        mergeOnApprove: false,
      }),
    ).toEqual([1])
    expect(find([], { pull: pull(review(1, 'commented')) })).toEqual([])
  })
})
