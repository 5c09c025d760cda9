import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createDesk, type Desk, interrupted } from './desk.ts'

const pushed = 'e'.repeat(40)
const ways = ['bare', 'named', 'review'] as const

/** What may happen to a pull request whose checks are running, in any order. */
const events = {
  approve: (desk: Desk, way: (typeof ways)[number]) => {
    const { repository, writer, at } = desk
    const commit = approvedCommit(desk)
    if (way === 'review') repository.review(writer, at.task, { verdict: 'approved', commit })
    else repository.say(writer, at.task, way === 'bare' ? '/approve' : `/approve ${commit}`)
  },
  approveAgain: (desk: Desk) => {
    const bob = desk.repository.person('bob', 'write')
    desk.repository.say(bob, desk.at.task, `/approve ${approvedCommit(desk)}`)
  },
  push: (desk: Desk) => {
    if (stateOf(desk) === 'merged') return
    desk.repository.changePull(desk.at.task, { headSha: pushed })
  },
  green: (desk: Desk) => {
    desk.repository.setChecks(approvedCommit(desk), 'green')
    desk.repository.setChecks(pushed, 'green')
  },
  close: (desk: Desk) => {
    if (stateOf(desk) === 'open') desk.repository.close(desk.at.task)
  },
  sweep: (desk: Desk) => desk.serve(null),
}

const stateOf = ({ repository, at }: Desk) => repository.pull(at.task)?.state

const approvedCommit = ({ at }: Desk): string => `${at.task}`.padStart(40, '0')

function pending(): Desk {
  const desk = createDesk()
  desk.repository.setChecks(approvedCommit(desk), 'pending')
  desk.repository.setChecks(pushed, 'pending')
  return desk
}

/** The commit that became part of the default branch, after everything has turned out well. */
async function settle(desk: Desk): Promise<string | null> {
  events.green(desk)
  await desk.serve(null)
  const { repository, at } = desk
  if (stateOf(desk) === 'closed') repository.changePull(at.task, { state: 'open' })
  await desk.serve(null)
  return stateOf(desk) === 'merged' ? desk.head('task') : null
}

function ordersOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  if (all.length < 2) return [all]
  return all.flatMap((first, at) =>
    ordersOf(all.toSpliced(at, 1)).map((others) => [first, ...others]),
  )
}

const orders = ordersOf(Object.values(events))
const tally = { tried: 0, approved: 0, unapproved: 0 }
const count = (desk: Desk, merged: string | null): void => {
  tally.tried += 1
  if (merged === approvedCommit(desk)) tally.approved += 1
  else if (merged !== null) tally.unapproved += 1
}

describe('an approved commit, and a push at any moment after it', () => {
  afterEach(({ task }) => {
    task.file.meta.cases = { orders: orders.length, cases: tally.tried }
  })
  afterAll(() => {
    console.info(
      `approve and push: ${tally.tried} tried, ${tally.approved} merged as approved, ${tally.unapproved} unapproved`,
    )
  })

  it.each(ways.flatMap((way) => [false, true].map((eager) => ({ way, eager }))))(
    'merges nothing else in any order: $way, a pass after each event: $eager',
    async ({ way, eager }) => {
      const before = { ...tally }
      for (const order of orders) {
        const desk = pending()
        for (const happens of order) {
          await happens(desk, way)
          if (eager) await desk.serve(null)
        }
        count(desk, await settle(desk))
      }
      expect(tally.unapproved).toBe(0)
      expect(tally.tried - before.tried).toBe(720)
      expect(tally.approved).toBeGreaterThan(before.approved)
    },
  )

  it.each(ways)(
    'merges nothing else when it comes between any two of our steps: %s',
    async (way) => {
      for (const isKept of [true, false]) {
        for (let after = 1, last = false; !last; after++) {
          const desk = pending()
          events.approve(desk, way)
          if (isKept) await desk.serve(null)
          events.green(desk)
          const push = () => events.push(desk)
          const { services, calls } = interrupted(desk.services, after, push)
          await desk.serve(null, services)
          last = after > calls()
          count(desk, await settle(desk))
        }
      }
      expect(tally.unapproved).toBe(0)
    },
  )
})

describe('an approval that is kept', () => {
  it.each(ways)('is void after a push, and says so with the whole command: %s', async (way) => {
    const desk = pending()
    events.approve(desk, way)
    await desk.serve(null)
    expect(desk.replies()).toEqual([expect.stringContaining('still running')])
    events.push(desk)
    await desk.serve(null)
    expect(desk.replies()).toEqual([expect.stringContaining(`\`\`\`\n/approve ${pushed}\n`)])
    expect(desk.replies()[0]).toContain('a commit was pushed')
  })

  it('is void though what it is read from names the new commit by now', async () => {
    const desk = pending()
    const { repository } = desk
    events.approve(desk, 'bare')
    await desk.serve(null)
    for (const ours of repository.remarks.filter(({ body }) => body.includes('proposal'))) {
      repository.edit(ours, ours.body.replaceAll(approvedCommit(desk), pushed))
    }
    events.push(desk)
    events.green(desk)
    await desk.serve(null)
    expect(stateOf(desk)).toBe('open')
  })

  it('ends after seven days, with a reply', async () => {
    const desk = pending()
    events.approve(desk, 'named')
    await desk.serve(null)
    const { ports } = desk.services
    const at = (now: string) => ({
      ...desk.services,
      ports: { ...ports, clock: { ...ports.clock, now: () => now } },
    })
    const said = Date.parse(desk.repository.remarks.at(-2)?.createdAt ?? '')
    const days = (count: number) => new Date(said + count * 86_400_000).toISOString()
    events.green(desk)
    await desk.serve(null, at(days(7.1)))
    expect(stateOf(desk)).toBe('open')
    expect(desk.replies()).toEqual([expect.stringContaining('is valid for seven days')])
  })

  it.each([
    ['closed', 'This is closed'],
    ['merged by hand', 'merged already'],
  ])('has its answer when the pull request is %s', async (how, words) => {
    const desk = pending()
    events.approve(desk, 'named')
    await desk.serve(null)
    if (how === 'closed') events.close(desk)
    else desk.repository.merge(desk.at.task)
    await desk.serve(null)
    expect(desk.replies()).toEqual([expect.stringContaining(words)])
  })

  it('of who made the last push is refused where somebody else must approve that', async () => {
    const desk = createDesk()
    const { repository, at } = desk
    repository.setFacts(at.task, { lastPushBy: 'ann' })
    events.approve(desk, 'named')
    await desk.serve(null)
    expect(desk.replies()).toEqual([expect.stringContaining('ann pushed it')])
    events.approveAgain(desk)
    await desk.serve(null)
    expect(stateOf(desk)).toBe('merged')
  })

  it('has its answer where a merge queue takes its commit', async () => {
    const desk = createDesk()
    const { discussion, ports } = desk.services
    const forge = { ...ports.forge, merge: async () => ({ status: 'queued' }) as const }
    events.approve(desk, 'named')
    await desk.serve(null, { discussion, ports: { ...ports, forge } })
    expect(desk.replies()).toEqual([expect.stringContaining('is in the merge queue')])
  })

  it('takes no shortened commit, and answers with the whole one', async () => {
    const desk = createDesk()
    const commit = approvedCommit(desk)
    for (const digits of [1, 7, 39]) {
      const short = commit.slice(0, digits)
      await desk.serve(desk.repository.say(desk.writer, desk.at.task, `/approve ${short}`))
      expect(desk.replies().at(-1)).toContain(`/approve ${commit}`)
    }
    expect(stateOf(desk)).toBe('open')
  })
})
