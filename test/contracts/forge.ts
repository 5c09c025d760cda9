import { describe, expect, it } from 'vitest'
import type { Forge, PullRequestDraft } from '../../src/core/ports/forge.ts'

/** A forge with one repository, and what other people do there. */
export interface ForgeBench extends AsyncDisposable {
  readonly forge: Forge
  /** Our login. */
  readonly us: string
  /** Makes a branch with a commit of its own, unless there is one. */
  branch(name: string): Promise<void>
  close(number: number): Promise<void>
  merge(number: number): Promise<void>
  openAsSomebody(draft: PullRequestDraft): Promise<number>
  commentAsSomebody(pullRequest: number, body: string): Promise<void>
  comments(
    pullRequest: number,
  ): Promise<readonly { readonly author: string; readonly body: string }[]>
  /** Requests so far that made or changed something. */
  writes(): number
}

export const draft: PullRequestDraft = {
  head: 'agent/T-1',
  base: 'main',
  title: '[Agent] Complete T-1: Add two',
  body: 'Adds two.\n\n<!-- executor:task T-1 -->\n',
  labels: ['executor:task'],
  draft: false,
  reviewers: [],
  assignees: [],
}

async function open(bench: ForgeBench, change: Partial<PullRequestDraft> = {}): Promise<number> {
  const wanted = { ...draft, ...change }
  await bench.branch(wanted.head)
  const result = await bench.forge.upsertPullRequest(wanted)
  if (result.status === 'refused') throw new Error(result.detail)
  return result.value?.number ?? 0
}

/** The promises of the Forge port, for forges of kind `github`. */
export function testForgeContract(name: string, openBench: () => Promise<ForgeBench>): void {
  describe(`${name} keeps the Forge contract`, () => {
    it('opens a pull request with all that was asked, and lists it', async () => {
      await using bench = await openBench()
      await bench.branch(draft.head)
      const result = await bench.forge.upsertPullRequest(draft)
      const { reviewers: _, assignees: __, ...asked } = draft
      const expected = {
        ...asked,
        number: 1,
        state: 'open',
        body: expect.stringContaining('Adds two.'),
      }
      expect(result).toMatchObject({ status: 'ok', value: expected })
      expect(await bench.forge.pullRequests()).toMatchObject([expected])
    })

    it('writes nothing the second time', async () => {
      await using bench = await openBench()
      const number = await open(bench)
      await bench.forge.upsertComment(number, '<!-- m -->', 'Hello\n')
      const before = bench.writes()
      expect(await bench.forge.upsertPullRequest(draft)).toMatchObject({ value: { number } })
      await bench.forge.upsertComment(number, '<!-- m -->', 'Hello\n')
      expect(bench.writes()).toBe(before)
      expect(before).toBeGreaterThan(0)
    })

    it('brings title, body, base and labels of its open one up to date', async () => {
      await using bench = await openBench()
      await bench.branch('agent/T-0')
      // Of the labels, ours that no longer hold go; others are a person's to take away.
      const number = await open(bench, { labels: ['executor:needs-human', 'area: tools'] })
      const change = { title: 'New title', body: 'New body', base: 'agent/T-0' }
      const labels = ['area: tools', 'executor:task']
      await bench.forge.upsertPullRequest({ ...draft, ...change })
      expect(await bench.forge.pullRequests()).toMatchObject([{ number, ...change, labels }])
    })

    it('opens a new one when the last is closed, and lists every state, newest first', async () => {
      await using bench = await openBench()
      await bench.close(await open(bench))
      await bench.merge(await open(bench, { head: 'agent/T-2' }))
      await open(bench)
      const listed = await bench.forge.pullRequests()
      expect(listed.map(({ number, head, state }) => [number, head, state])).toEqual([
        [3, 'agent/T-1', 'open'],
        [2, 'agent/T-2', 'merged'],
        [1, 'agent/T-1', 'closed'],
      ])
    })

    it('lists what has a head of ours, and nothing else', async () => {
      await using bench = await openBench()
      for (const head of [
        'agents/T-1',
        'feature/agent/T-1',
        'executor/state',
        'executor/recovery/T-1',
      ]) {
        await bench.branch(head)
        await bench.openAsSomebody({ ...draft, head })
      }
      const listed = await bench.forge.pullRequests()
      expect(listed.map(({ head }) => head)).toEqual(['executor/recovery/T-1'])
    })

    it('leaves a pull request alone that somebody else opened for our branch', async () => {
      await using bench = await openBench()
      await bench.branch(draft.head)
      await bench.openAsSomebody({ ...draft, title: 'Mine', labels: [] })
      const before = bench.writes()
      expect(await bench.forge.upsertPullRequest(draft)).toMatchObject({
        status: 'refused',
        code: 'forge_denied',
        detail: expect.stringContaining('#1'),
      })
      expect(bench.writes()).toBe(before)
    })

    it("keeps one comment for each marker, and takes over nobody else's", async () => {
      await using bench = await openBench()
      const number = await open(bench)
      const say = (marker: string, body: string) => bench.forge.upsertComment(number, marker, body)
      await bench.commentAsSomebody(number, '<!-- report -->\nNot the bot')
      await say('<!-- report -->', 'First')
      await say('<!-- status -->', '<!-- status -->\nquotes <!-- report -->')
      expect(await say('<!-- report -->', 'Second')).toEqual({ status: 'ok', value: null })
      const { us } = bench
      const [theirs, ...ours] = await bench.comments(number)
      expect(theirs?.body).toBe('<!-- report -->\nNot the bot')
      expect(ours).toEqual([
        { author: us, body: '<!-- report -->\nSecond' },
        { author: us, body: '<!-- status -->\nquotes <!-- report -->' },
      ])
    })

    it('refuses to comment where there is no pull request', async () => {
      await using bench = await openBench()
      const result = await bench.forge.upsertComment(7, '<!-- m -->', 'Hello')
      expect(result).toMatchObject({ status: 'refused', code: 'forge_denied' })
    })
  })
}
