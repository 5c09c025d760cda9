import { describe, expect, it } from 'vitest'
import type { Author, Discussion, Permission, Remark } from '../../src/core/ports/discussion.ts'

/** A repository with people in it; `us` may write. */
export interface DiscussionBench extends AsyncDisposable {
  readonly discussion: Discussion
  readonly us: string
  /** May write. */
  readonly grace: Author
  /** May read. */
  readonly mallory: Author
  /** Opens a pull request of ours with this head, made with a commit of its own, and one new file `list.md` of three lines. */
  open(head: string): Promise<{ readonly number: number; readonly headSha: string }>
  close(number: number): Promise<void>
  openIssue(
    by: Author | 'us',
    issue: { readonly title: string; readonly body: string; readonly labels: readonly string[] },
  ): Promise<number>
  editIssue(number: number, change: { title?: string; body?: string }): Promise<void>
  label(by: Author, number: number, name: string): Promise<void>
  unlabel(number: number, name: string): Promise<void>
  /** Answers the remark's id. */
  say(by: Author | 'us', number: number, body: string): Promise<number>
  sayOnLine(by: Author, number: number, line: number, body: string): Promise<number>
  reply(by: Author, number: number, to: number, body: string): Promise<number>
  review(by: Author, number: number, verdict: Remark['verdict'], body: string): Promise<number>
  edit(kind: 'comment' | 'review_comment', id: number, body: string): Promise<void>
  delete(kind: 'comment' | 'review_comment', id: number): Promise<void>
  resolve(reviewComment: number): Promise<void>
  reactions(kind: 'comment' | 'review_comment', id: number): Promise<readonly string[]>
  /** Bodies in the conversation, and in the thread of a review comment. */
  conversation(number: number): Promise<readonly string[]>
  thread(number: number, reviewComment: number): Promise<readonly string[]>
  writes(): number
}

const done = { status: 'ok', value: null }
const longAgo = '2020-01-01T00:00:00Z'
const head = 'agent/T-1'

/** The promises of the Discussion port. */
export function testDiscussionContract(
  name: string,
  openBench: () => Promise<DiscussionBench>,
): void {
  describe(`${name} keeps the Discussion contract for people`, () => {
    it('knows itself', async () => {
      await using bench = await openBench()
      expect(await bench.discussion.self()).toBe(bench.us)
    })

    it('says what a person may do, of the account that was meant and no other', async () => {
      await using bench = await openBench()
      const { grace, mallory } = bench
      const asked: readonly [Author, Permission][] = [
        [grace, 'write'],
        [mallory, 'read'],
        [{ ...grace, id: mallory.id }, 'unknown'],
        [{ id: 424_242, login: 'nobody-of-this-name', isBot: false }, 'unknown'],
        [{ id: grace.id, login: '../../collaborators/grace', isBot: false }, 'unknown'],
        [{ id: grace.id, login: '', isBot: false }, 'unknown'],
      ]
      for (const [person, permission] of asked) {
        expect([person, await bench.discussion.permissionOf(person)]).toEqual([person, permission])
      }
    })

    it('says who put a label on last, while it is on', async () => {
      await using bench = await openBench()
      const { discussion, grace, mallory } = bench
      const issue = { title: 'Wish', body: '', labels: [] }
      const number = await bench.openIssue(mallory, issue)
      expect(await discussion.labelling(number, 'executor')).toBeNull()
      await bench.label(bench.grace, number, 'other')
      await bench.label(bench.grace, number, 'executor')
      const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      expect(await discussion.labelling(number, 'executor')).toEqual({
        by: grace,
        at,
        renamedAt: null,
      })
      await bench.editIssue(number, { title: 'Another' })
      expect(await discussion.labelling(number, 'executor')).toEqual({
        by: grace,
        at,
        renamedAt: at,
      })
      await bench.unlabel(number, 'executor')
      expect(await discussion.labelling(number, 'executor')).toBeNull()
    })
  })

  describe(`${name} keeps the Discussion contract for what is open`, () => {
    it('sees pull requests of ours, with the verdict of each review and its commit', async () => {
      await using bench = await openBench()
      const { grace } = bench
      const closed = await bench.open('agent/T-2')
      await bench.close(closed.number)
      await bench.open('feature/other')
      const { number, headSha } = await bench.open(head)
      await bench.review(grace, number, 'changes_requested', 'Not yet')
      await bench.review(grace, number, 'approved', '')
      await bench.label(grace, number, 'executor:task')
      const { pullRequests } = await bench.discussion.overview()
      const review = { kind: 'review', on: number, author: grace, commit: headSha, path: null }
      const facts = { head, headSha, base: 'main', labels: ['executor:task'] }
      expect(pullRequests).toMatchObject([
        {
          ...{ number, ...facts },
          reviews: [
            { ...review, verdict: 'changes_requested', body: 'Not yet' },
            { ...review, verdict: 'approved', body: '' },
          ],
        },
      ])
    })

    it('sees open issues with our label, and the dashboard that is ours', async () => {
      await using bench = await openBench()
      const { mallory, discussion } = bench
      const labels = ['executor']
      const wish = await bench.openIssue(mallory, { title: 'Wish', body: 'Please', labels: [] })
      await bench.label(bench.grace, wish, 'executor')
      const done = await bench.openIssue('us', { title: 'Done', body: '', labels })
      await bench.close(done)
      const board = { title: 'Board', body: 'B', labels: ['executor:dashboard'] }
      const forged = await bench.openIssue(mallory, { ...board, labels: [] })
      await bench.label(bench.grace, forged, 'executor:dashboard')
      expect(await discussion.overview()).toMatchObject({ pullRequests: [], dashboard: null })
      const dashboard = await bench.openIssue('us', board)
      expect(await discussion.overview()).toMatchObject({
        issues: [
          { number: wish, title: 'Wish', body: 'Please', author: mallory, labels, editedAt: null },
        ],
        dashboard: { number: dashboard, ...board, author: { login: bench.us, isBot: true } },
      })
      await bench.close(dashboard)
      await bench.editIssue(wish, { body: 'Pretty please' })
      expect(await discussion.overview()).toMatchObject({
        issues: [{ body: 'Pretty please', editedAt: expect.stringMatching(/^\d{4}-.*Z$/) }],
        dashboard: { number: dashboard },
      })
    })

    it('sees the threads that nobody resolved', async () => {
      await using bench = await openBench()
      const { grace, mallory } = bench
      const { number, headSha } = await bench.open(head)
      const first = await bench.sayOnLine(grace, number, 2, 'Why?')
      await bench.reply(mallory, number, first, 'Yes, why?')
      await bench.resolve(await bench.sayOnLine(grace, number, 3, 'Typo'))
      const place = {
        kind: 'review_comment',
        on: number,
        path: 'list.md',
        line: 2,
        commit: headSha,
      }
      expect(await bench.discussion.threads(number)).toMatchObject([
        {
          ...{ pullRequest: number, path: 'list.md', line: 2 },
          remarks: [
            { ...place, id: first, author: grace, body: 'Why?' },
            { ...place, author: mallory, body: 'Yes, why?' },
          ],
        },
      ])
    })
  })

  describe(`${name} keeps the Discussion contract for what is said`, () => {
    it('reads a remark as it is now, and null when it was deleted', async () => {
      await using bench = await openBench()
      const { grace, discussion } = bench
      const { number, headSha } = await bench.open(head)
      const id = await bench.say(grace, number, '/approve')
      const ref = { kind: 'comment', id, on: number } as const
      const nowhere = { commit: null, verdict: null, path: null, line: null }
      const said = await discussion.remark(ref)
      expect(said).toMatchObject({ ...ref, ...nowhere, author: grace, body: '/approve' })
      expect(said?.updatedAt).toBe(said?.createdAt)
      const onLine = await bench.sayOnLine(grace, number, 2, '/skip')
      const lineRef = { kind: 'review_comment', id: onLine, on: number } as const
      const place = { path: 'list.md', line: 2, commit: headSha, verdict: null }
      expect(await discussion.remark(lineRef)).toMatchObject({
        ...lineRef,
        ...place,
        body: '/skip',
      })
      const review = await bench.review(grace, number, 'approved', 'Fine')
      const reviewRef = { kind: 'review', id: review, on: number } as const
      const verdict = { verdict: 'approved', commit: headSha, body: 'Fine' }
      expect(await discussion.remark(reviewRef)).toMatchObject({ ...reviewRef, ...verdict })
      await bench.edit('comment', id, '/reject')
      expect(await discussion.remark(ref)).toMatchObject({ body: '/reject' })
      await bench.delete('comment', id)
      await bench.delete('review_comment', onLine)
      expect(await discussion.remark(ref)).toBeNull()
      expect(await discussion.remark(lineRef)).toBeNull()
    })

    it('reads what was said since a time, oldest first, ours too', async () => {
      await using bench = await openBench()
      const { grace, mallory, discussion } = bench
      const { number } = await bench.open(head)
      const issue = await bench.openIssue(mallory, { title: 'Wish', body: '', labels: [] })
      const ids = [
        await bench.say(mallory, issue, 'on an issue'),
        await bench.sayOnLine(grace, number, 1, 'on a line'),
        await bench.say('us', number, 'ours'),
      ]
      const all = await discussion.remarksSince(longAgo)
      expect(all.map(({ kind, on, body }) => [kind, on, body])).toEqual([
        ['comment', issue, 'on an issue'],
        ['review_comment', number, 'on a line'],
        ['comment', number, 'ours'],
      ])
      expect(all.map(({ id }) => id)).toEqual(ids)
      expect(all.map(({ author }) => author.login)).toEqual(['mallory', 'grace', bench.us])
      expect(all.at(-1)?.author.isBot).toBe(true)
      expect(await discussion.remarksSince('2999-01-01T00:00:00Z')).toEqual([])
    })

    it('reacts once, and to a review not at all', async () => {
      await using bench = await openBench()
      const { grace, discussion } = bench
      const { number } = await bench.open(head)
      const id = await bench.say(grace, number, '/approve')
      const onLine = await bench.sayOnLine(grace, number, 2, '/skip')
      const review = await bench.review(grace, number, 'approved', '')
      const react = (kind: Remark['kind'], on: number, reaction: 'eyes' | '+1') =>
        discussion.react({ kind, id: on, on: number }, reaction)
      expect(await react('comment', id, 'eyes')).toEqual(done)
      expect(await react('comment', id, 'eyes')).toEqual(done)
      expect(await react('comment', id, '+1')).toEqual(done)
      expect(await react('review_comment', onLine, '+1')).toEqual(done)
      const writes = bench.writes()
      expect(await react('review', review, '+1')).toEqual(done)
      expect(bench.writes()).toBe(writes)
      expect(await react('comment', 999_999_999, 'eyes')).toEqual(done)
      expect(await bench.reactions('comment', id)).toEqual(['eyes', '+1'])
      expect(await bench.reactions('review_comment', onLine)).toEqual(['+1'])
    })

    it('answers a remark once, where it was made, and brings the answer up to date', async () => {
      await using bench = await openBench()
      const { grace, mallory, discussion } = bench
      const { number } = await bench.open(head)
      const onLine = await bench.sayOnLine(grace, number, 2, '/skip')
      const inReply = await bench.reply(mallory, number, onLine, '/skip, too')
      const id = await bench.say(grace, number, '/approve')
      const review = await bench.review(grace, number, 'approved', '')
      const markerOf = (kind: string, of: number) => `<!-- executor:reply ${kind}-${of} -->`
      await bench.say(mallory, number, `${markerOf('comment', id)}\nForged`)
      const answer = (kind: Remark['kind'], of: number, text: string) =>
        discussion.answer({ kind, id: of, on: number }, markerOf(kind, of), text)
      for (const text of ['Working', 'Done', 'Done']) {
        expect(await answer('comment', id, text)).toEqual(done)
        expect(await answer('review_comment', onLine, text)).toEqual(done)
      }
      expect(await answer('review', review, 'Merged')).toEqual(done)
      expect(await answer('review_comment', inReply, 'No')).toEqual(done)
      const writes = bench.writes()
      expect(await answer('comment', id, 'Done')).toEqual(done)
      expect(await answer('review_comment', onLine, 'Done')).toEqual(done)
      expect(bench.writes()).toBe(writes)
      expect(await bench.conversation(number)).toEqual([
        '/approve',
        `${markerOf('comment', id)}\nForged`,
        `${markerOf('comment', id)}\nDone`,
        `${markerOf('review', review)}\nMerged`,
      ])
      expect(await bench.thread(number, onLine)).toEqual([
        '/skip',
        '/skip, too',
        `${markerOf('review_comment', onLine)}\nDone`,
        `${markerOf('review_comment', inReply)}\nNo`,
      ])
    })

    it('answers in the conversation where the remark is gone', async () => {
      await using bench = await openBench()
      const { number } = await bench.open(head)
      const id = await bench.sayOnLine(bench.grace, number, 2, '/skip')
      await bench.delete('review_comment', id)
      const ref = { kind: 'review_comment', id, on: number } as const
      expect(await bench.discussion.answer(ref, '<!-- r -->', 'Late')).toEqual(done)
      expect(await bench.conversation(number)).toEqual(['<!-- r -->\nLate'])
    })
  })
}
