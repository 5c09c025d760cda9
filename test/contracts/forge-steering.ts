import { describe, expect, it } from 'vitest'
import type { Forge, PullRequest } from '../../src/core/ports/forge.ts'
import { draft, type ForgeBench } from './forge.ts'

/** Merging, checks, labels and issues, and what other people do to them. */
export interface SteeringBench extends ForgeBench {
  /** Another commit on a branch that is there; its sha. */
  push(branch: string): Promise<string>
  /** What the checks of a commit say. */
  setChecks(sha: string, checks: 'green' | 'pending' | 'red'): Promise<void>
  /** Makes the diff of a branch's pull request one file with this many new lines. */
  pushLines(branch: string, path: string, lines: number): Promise<string>
  openIssueAsSomebody(issue: {
    readonly title: string
    readonly body: string
    readonly labels: readonly string[]
  }): Promise<number>
  labelAsSomebody(number: number, label: string): Promise<void>
  /** An issue or a pull request as it is. */
  look(number: number): Promise<{
    readonly state: 'open' | 'closed'
    readonly title: string
    readonly body: string
    readonly labels: readonly string[]
  }>
  reviewComments(number: number): Promise<
    readonly {
      readonly author: string
      readonly path: string
      readonly line: number | null
      readonly body: string
    }[]
  >
}

async function open(
  bench: SteeringBench,
  change: Partial<typeof draft> = {},
): Promise<PullRequest> {
  const wanted = { ...draft, ...change }
  await bench.branch(wanted.head)
  const result = await bench.forge.upsertPullRequest(wanted)
  if (result.status === 'refused' || result.value === null) throw new Error('not opened')
  return result.value
}

async function read({ forge }: { readonly forge: Forge }, number: number): Promise<PullRequest> {
  const pull = await forge.pullRequest(number)
  if (pull === null) throw new Error(`#${number} is gone`)
  return pull
}

const denied = { status: 'refused', code: 'forge_denied' }
const done = { status: 'ok', value: null }

/** The promises of the Forge port about what is open already. */
export function testForgeSteering(name: string, openBench: () => Promise<SteeringBench>): void {
  describe(`${name} keeps the Forge contract for merging`, () => {
    it('merges the commit that was named, once', async () => {
      await using bench = await openBench()
      const { number, headSha } = await open(bench)
      const merged = await bench.forge.merge(number, headSha)
      expect(merged).toEqual({ status: 'merged', sha: expect.stringMatching(/^[0-9a-f]{40}$/) })
      const after = await read(bench, number)
      expect(after).toMatchObject({ state: 'merged', headSha })
      expect({ status: 'merged', sha: after.mergeSha }).toEqual(merged)
      expect(await bench.forge.merge(number, headSha)).toEqual(merged)
    })

    it('merges no other commit than that', async () => {
      await using bench = await openBench()
      const { number, headSha } = await open(bench)
      const moved = await bench.push(draft.head)
      expect(await bench.forge.merge(number, headSha)).toEqual({ status: 'moved', headSha: moved })
      expect(await read(bench, number)).toMatchObject({ state: 'open', headSha: moved })
    })

    it('says in the words of the forge why it cannot merge', async () => {
      await using bench = await openBench()
      const waiting = await open(bench, { draft: true })
      expect(await bench.forge.merge(waiting.number, waiting.headSha)).toEqual({
        status: 'blocked',
        reason: expect.stringMatching(/draft/),
      })
      const closed = await open(bench, { head: 'agent/T-2' })
      await bench.close(closed.number)
      expect(await bench.forge.merge(closed.number, closed.headSha)).toEqual({
        status: 'blocked',
        reason: expect.stringMatching(/not mergeable/),
      })
      expect(await bench.forge.merge(99, closed.headSha)).toMatchObject(denied)
    })

    it('reads the checks of a commit', async () => {
      await using bench = await openBench()
      const { headSha } = await open(bench)
      expect(await bench.forge.checks(headSha)).toBe('none')
      for (const checks of ['pending', 'red', 'green'] as const) {
        await bench.setChecks(headSha, checks)
        expect(await bench.forge.checks(headSha)).toBe(checks)
      }
    })
  })

  describe(`${name} keeps the Forge contract for what is open`, () => {
    it('reads one as it is now, and null for none', async () => {
      await using bench = await openBench()
      const { number } = await open(bench)
      const headSha = await bench.push(draft.head)
      expect(await read(bench, number)).toMatchObject({ headSha, author: bench.us, mergeSha: null })
      const issue = await bench.openIssueAsSomebody({ title: 'Not one', body: '', labels: [] })
      expect(await bench.forge.pullRequest(issue)).toBeNull()
      expect(await bench.forge.pullRequest(99)).toBeNull()
    })

    it('keeps one comment on a line for each marker, and none beside the diff', async () => {
      await using bench = await openBench()
      const sha = await bench.pushLines(draft.head, 'list.md', 3)
      const { number } = await open(bench)
      const say = (change: object) =>
        bench.forge.upsertReviewComment(number, {
          ...{ marker: '<!-- ask -->', sha, path: 'list.md', line: 2, body: 'Why' },
          ...change,
        })
      expect(await say({})).toEqual(done)
      expect(await say({ body: 'Because' })).toEqual(done)
      const writes = bench.writes()
      expect(await say({ body: 'Because' })).toEqual(done)
      expect(bench.writes()).toBe(writes)
      expect(await say({ marker: '<!-- other -->', line: 7 })).toMatchObject(denied)
      expect(await say({ marker: '<!-- other -->', path: 'nowhere.md' })).toMatchObject(denied)
      const { us: author } = bench
      expect(await bench.reviewComments(number)).toEqual([
        { author, path: 'list.md', line: 2, body: '<!-- ask -->\nBecause' },
      ])
    })

    it('closes what is open, and only that', async () => {
      await using bench = await openBench()
      const { number } = await open(bench)
      const issue = await bench.openIssueAsSomebody({ title: 'Old', body: '', labels: [] })
      expect(await bench.forge.close(number)).toEqual(done)
      expect(await bench.forge.close(issue)).toEqual(done)
      expect((await bench.look(number)).state).toBe('closed')
      expect((await bench.look(issue)).state).toBe('closed')
      const writes = bench.writes()
      expect(await bench.forge.close(number)).toEqual(done)
      expect(bench.writes()).toBe(writes)
      expect(await bench.forge.close(99)).toMatchObject(denied)
    })

    it('gives an open one another base', async () => {
      await using bench = await openBench()
      await bench.branch('agent/T-0')
      const { number } = await open(bench)
      expect(await bench.forge.retarget(number, 'agent/T-0')).toEqual(done)
      expect(await read(bench, number)).toMatchObject({ base: 'agent/T-0' })
      const writes = bench.writes()
      expect(await bench.forge.retarget(number, 'agent/T-0')).toEqual(done)
      expect(bench.writes()).toBe(writes)
    })

    it('adds and takes away labels, and leaves the others', async () => {
      await using bench = await openBench()
      const { number } = await open(bench, { labels: ['executor:recovery'] })
      await bench.labelAsSomebody(number, 'area: tools')
      const change = { add: ['executor:skipped'], remove: ['executor:recovery', 'never there'] }
      expect(await bench.forge.label(number, change)).toEqual(done)
      const labels = ['area: tools', 'executor:skipped']
      expect([...(await read(bench, number)).labels].sort()).toEqual(labels)
      const writes = bench.writes()
      expect(await bench.forge.label(number, change)).toEqual(done)
      expect(bench.writes()).toBe(writes)
      expect(await bench.forge.label(99, { add: ['executor:skipped'] })).toMatchObject(denied)
    })

    it("keeps one issue for each marker, open or closed, and takes over nobody else's", async () => {
      await using bench = await openBench()
      const marker = '<!-- board -->'
      const issue = { marker, title: 'Board', body: 'One', labels: ['executor:dashboard'] }
      await bench.openIssueAsSomebody({ ...issue, body: `${marker}\nMine` })
      const made = await bench.forge.upsertIssue(issue)
      if (made.status === 'refused') throw new Error(made.detail)
      const { number } = made.value
      const { title, labels } = issue
      const shown = { title, labels, state: 'open', body: `${marker}\nOne` }
      expect(await bench.look(number)).toEqual(shown)
      const writes = bench.writes()
      expect(await bench.forge.upsertIssue(issue)).toEqual(made)
      expect(bench.writes()).toBe(writes)
      await bench.close(number)
      expect(await bench.forge.upsertIssue({ ...issue, body: 'Two' })).toEqual(made)
      const after = { ...shown, state: 'closed', body: `${marker}\nTwo` }
      expect(await bench.look(number)).toEqual(after)
    })

    it('comments on issues', async () => {
      await using bench = await openBench()
      const number = await bench.openIssueAsSomebody({ title: 'Wish', body: '', labels: [] })
      expect(await bench.forge.upsertComment(number, '<!-- m -->', 'Seen')).toEqual(done)
      expect(await bench.comments(number)).toEqual([{ author: bench.us, body: '<!-- m -->\nSeen' }])
    })
  })
}
