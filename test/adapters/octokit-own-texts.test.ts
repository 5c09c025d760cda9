import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bench, openBench, target } from '../../packages/github-simulator/test/github/bench.ts'
import { createOctokitDiscussion } from '../../src/adapters/octokit-discussion.ts'
import { createOctokitForge } from '../../src/adapters/octokit-forge.ts'
import { label } from '../../src/core/domain/identity.ts'
import type { OwnTexts } from '../../src/core/ports/own-texts.ts'
import { connect, dispose, stateOf, writesIn } from './forge-bench.ts'

const marker = '<!-- executor:test -->'
const ours = `${marker}\nours`
const forged = `${marker}\nby another workflow of the repository`

let bench: Bench
let pull: number
let head: string
beforeAll(async () => {
  bench = await openBench()
  head = await bench.push('agent/T-1', { 'a.txt': 'a\n' })
  const drafted = { ...target, head: 'agent/T-1', base: 'main', title: 'T-1' }
  pull = (await bench.octokit('actions-token').pulls.create(drafted)).data.number
})
afterAll(() => dispose(bench))

/** Knows only what it was told, and at which of the server's writes it was told. */
function open() {
  const known = new Set<string>()
  const told: string[] = []
  const texts: OwnTexts = {
    async intend(body) {
      known.add(body)
      told.push(`intends ${body.split('\n').at(-1)} after ${writesIn(bench)} writes`)
    },
    posted({ kind, id, body }) {
      known.add(`${kind}-${id}`)
      told.push(`posted ${kind} ${body.split('\n').at(-1)} after ${writesIn(bench)} writes`)
    },
    ours: async (found) =>
      found.filter(({ kind, id, body }) => known.has(`${kind}-${id}`) || known.has(body)),
  }
  const { repository } = connect(bench, 'actions-token', { texts })
  return {
    told,
    forge: createOctokitForge(repository),
    discussion: createOctokitDiscussion(repository),
  }
}

const workflow = () => bench.octokit('actions-token')
const onPull = { ...target, issue_number: 1 }
const onLine = (body: string) => ({ marker, sha: head, path: 'a.txt', line: 1, body })

describe('texts of the same account', () => {
  const kinds = {
    comment: {
      forge: async () =>
        (await workflow().issues.createComment({ ...onPull, body: forged })).data.id,
      write: ({ forge }: ReturnType<typeof open>, body: string) =>
        forge.upsertComment(pull, marker, body),
      bodies: async () => (await stateOf(bench)).comments.map(({ body }) => body),
    },
    review_comment: {
      forge: async () => {
        const { marker: _, sha: commit_id, ...at } = onLine(forged)
        const asked = { ...target, pull_number: pull, commit_id, side: 'RIGHT' as const, ...at }
        return (await workflow().pulls.createReviewComment(asked)).data.id
      },
      write: ({ forge }: ReturnType<typeof open>, body: string) =>
        forge.upsertReviewComment(pull, onLine(body)),
      bodies: async () => (await stateOf(bench)).reviewComments.map(({ body }) => body),
    },
    issue: {
      forge: async () => {
        const issue = { ...target, title: 'forged', body: forged, labels: [label.dashboard] }
        return (await workflow().issues.create(issue)).data.number
      },
      write: ({ forge }: ReturnType<typeof open>, body: string) =>
        forge.upsertIssue({ marker, title: 'ours', body, labels: [label.dashboard] }),
      bodies: async () => (await stateOf(bench)).issues.map(({ body }) => body),
    },
  } as const

  it.each(Object.entries(kinds))(
    '%s: recorded before it is posted, and nothing else counts',
    async (kind, { forge, write, bodies }) => {
      await forge()
      const session = open()
      const before = writesIn(bench)
      await write(session, ours)
      const after = writesIn(bench)
      expect(session.told).toEqual([
        `intends ours after ${before} writes`,
        `posted ${kind} ours after ${before + 1} writes`,
      ])
      expect(await bodies()).toEqual([forged, ours])

      await write(session, `${ours}, edited`)
      expect(await bodies()).toEqual([forged, `${ours}, edited`])
      // Its id stays known, whatever people make of the text.
      expect(session.told.slice(2)).toEqual([`posted ${kind} ours, edited after ${after} writes`])
      expect(writesIn(bench)).toBe(after + 1)

      const remarks = (await session.discussion.remarksSince('2020-01-01T00:00:00Z')).filter(
        (one) => one.kind === kind,
      )
      expect(remarks.map(({ isOurs }) => isOurs)).toEqual(kind === 'issue' ? [] : [false, true])
      const { dashboard } = await session.discussion.overview()
      expect(dashboard?.title ?? null).toBe(kind === 'issue' ? 'ours' : null)
    },
  )
})
