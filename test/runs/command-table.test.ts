import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { label } from '../../src/core/domain/identity.ts'
import type { Permission, Remark } from '../../src/core/ports/discussion.ts'
import { adoptIssue } from '../../src/runs/issues/adopt-issue.ts'
import { readEvent } from '../../src/runs/triggers/read-event.ts'
import { createDesk, type Desk, interrupted, type Place, places } from './commands/desk.ts'
import { commentEvent, issueEvent, user } from './triggers/event-facts.ts'

/** security.md's rows about commands; the number of cases that each ran is printed. */
const counts = new Map<string, number>()
const count = (row: string): void => void counts.set(row, (counts.get(row) ?? 0) + 1)
afterEach(({ task }) => {
  task.file.meta.cases = Object.fromEntries(counts)
})
afterAll(() => {
  const total = [...counts.values()].reduce((sum, each) => sum + each, 0)
  const rows = [...counts].map(([row, number]) => `  ${row}: ${number}`)
  console.log(['The command table of security.md', ...rows, `  in all: ${total}`].join('\n'))
})

const commands = [
  '/approve',
  '/decompose',
  '/rewrite it',
  '/defer',
  '/skip',
  '/retry',
  '/reject',
  '/edit\n- [ ] Read it well\n  Once.',
  '/revise Shorter.',
  '/allow package-lock.json',
  '/run',
  '/run T-1',
  '/cancel',
] as const

interface Counted {
  readonly runs: number
  readonly writes: number
  readonly pulls: string
}

const look = (desk: Desk): Counted => ({
  runs: desk.runs.length,
  writes: desk.repository.counters.writes,
  pulls: JSON.stringify([
    desk.repository.pulls,
    desk.repository.issues,
    Object.values(desk.at).map((n) => desk.repository.factsOf(n)),
  ]),
})

/** Nothing that counts is done; `replies` of ours are. */
function expectNothing(desk: Desk, before: Counted, replies = 0): void {
  const after = look(desk)
  expect({ ...after, writes: 0 }).toEqual({ ...before, writes: 0 })
  expect(desk.replies()).toHaveLength(replies)
  if (replies === 0) expect(after.writes).toBe(before.writes)
}

const everywhere = (desk: Desk): readonly number[] => [
  ...places.map((place) => desk.at[place]),
  desk.issue,
  desk.dashboard,
]

describe('an outsider', () => {
  const permissions: readonly Permission[] = ['read', 'triage', 'none', 'unknown']

  it.each(permissions)(
    'with the permission "%s" does nothing, and is told so once',
    async (permission) => {
      for (const body of commands) {
        const desk = createDesk()
        const eve = desk.repository.person('eve', permission)
        for (const [times, on] of everywhere(desk).entries()) {
          const before = look(desk)
          await desk.serve(desk.repository.say(eve, on, body))
          expectNothing(desk, before, 1)
          if (times === 0) expect(desk.replies()[0]).toContain('Thank you, `eve`')
          count('approval by an outsider')
        }
      }
    },
  )

  it('is nobody whose account is another one now', async () => {
    for (const body of commands) {
      const desk = createDesk()
      const before = look(desk)
      const impostor = { ...desk.writer, id: 4711 }
      await desk.serve(desk.repository.say(impostor, desk.at.recovery, body))
      expectNothing(desk, before, 1)
      count('approval by an outsider')
    }
  })

  it('is everybody when the permission cannot be asked for', async () => {
    for (const place of places) {
      const desk = createDesk()
      const before = look(desk)
      const discussion = {
        ...desk.services.discussion,
        permissionOf: async () => {
          throw new Error('500')
        },
      }
      const remark = desk.repository.say(desk.writer, desk.at[place], '/approve')
      await expect(desk.serve(remark, { ...desk.services, discussion })).rejects.toThrow('500')
      expectNothing(desk, before)
      count('approval by an outsider')
    }
  })

  it('does nothing by a review, and gets no answer for a bare one', async () => {
    for (const place of places) {
      for (const verdict of ['approved', 'changes_requested'] as const) {
        const desk = createDesk()
        const before = look(desk)
        const eve = desk.repository.person('eve', 'read')
        await desk.serve(desk.repository.review(eve, desk.at[place], { verdict, body: 'Words.' }))
        expectNothing(desk, before)
        count('native reviews')
      }
    }
  })
})

describe('words that are no command', () => {
  const forms: readonly [string, (command: string) => string][] = [
    ['quoted', (command) => `> ${command}`],
    ['fenced', (command) => `\`\`\`\n${command}\n\`\`\``],
    ['fenced otherwise', (command) => `~~~\n${command}\n~~~`],
    ['in code', (command) => `\`${command}\``],
    ['indented', (command) => `    ${command}`],
    ['below', (command) => `Look:\n${command}`],
    ['in a comment', (command) => `<!--\n${command}\n-->`],
    ['behind what is not seen', (command) => `\u200b${command}`],
    ['turned round', (command) => `\u202e${command}`],
    [
      'in other letters',
      (command) =>
        command.replace(
          /e|a|o/,
          (letter) => ({ e: '\u0435', a: '\u0430', o: '\u043e' })[letter] ?? letter,
        ),
    ],
    ['with another slash', (command) => command.replace('/', '\u2215')],
    ['bent', (command) => command.replace(/^\/(\w+?)e?\b/, '/$1ed')],
  ]

  it.each(forms)('%s do nothing', async (_, write) => {
    for (const command of commands.filter((each) => /[eao]/.test(each))) {
      const desk = createDesk()
      const { repository, writer } = desk
      const before = look(desk)
      const body = write(command)
      for (const on of everywhere(desk)) {
        await desk.serve(repository.say(writer, on, body))
        count('accidental command')
      }
      for (const place of places) {
        await desk.serve(repository.sayOnLine(writer, desk.at[place], { body }))
        await desk.serve(repository.review(writer, desk.at[place], { verdict: 'commented', body }))
        count('accidental command')
      }
      expectNothing(desk, before)
    }
  })

  it('are an edited command, however it was edited', async () => {
    for (const [first, later] of [
      ['Thanks!', '/approve'],
      ['/approve', '/approve '],
      ['/status', '/reject'],
      ['/approve', '/skip'],
    ] as const) {
      for (const place of places) {
        const desk = createDesk()
        const { repository, writer } = desk
        const before = look(desk)
        const remark = repository.say(writer, desk.at[place], first)
        const edited = repository.edit(remark, later)
        for (const seen of [remark, edited, null]) await desk.serve(seen)
        expectNothing(desk, before)
        count('edited comment')
      }
    }
  })

  it('are an edit that GitHub shows no time of, and a deleted command', async () => {
    const desk = createDesk()
    const { repository, writer, at } = desk
    const before = look(desk)
    const changed = repository.say(writer, at.task, '/approve')
    await desk.serve({ ...changed, body: '/reject' })
    const gone = repository.say(writer, at.recovery, '/approve')
    repository.delete(gone)
    repository.delete(changed)
    await desk.serve(gone)
    await desk.serve(changed)
    expect(look(desk).runs).toBe(before.runs)
    expect(repository.pull(at.task)?.state).toBe('open')
    count('edited comment')
    count('edited comment')
  })
})

describe('a bot', () => {
  it('is never obeyed, nor are we', async () => {
    for (const body of commands) {
      const desk = createDesk()
      const { repository } = desk
      const before = look(desk)
      const other = repository.person('helper[bot]', 'admin')
      const hidden = { ...repository.person('machine', 'admin'), isBot: true }
      for (const by of [other, hidden, repository.us]) {
        await desk.serve(repository.say(by, desk.at.recovery, body))
        await desk.serve(repository.review(by, desk.at.task, { verdict: 'approved', body }))
        count('self-approval, bot loop')
      }
      expectNothing(desk, before)
    }
  })

  it('does not answer its own answers', async () => {
    const desk = createDesk()
    await desk.serve(desk.repository.say(desk.writer, desk.at.task, '/help'))
    const before = look(desk)
    for (const remark of desk.repository.remarks) await desk.serve(remark)
    expectNothing(desk, before, 1)
    count('self-approval, bot loop')
  })
})

describe('a sender that is not the author', () => {
  it.each(commands)('%j is ignored before anything is asked', (body) => {
    const event = commentEvent(body, { user, sender: { ...user, id: 99, login: 'eve' } })
    expect(readEvent('issue_comment', event).kind).toBe('ignored')
    count('actor spoofing')
  })
})

type Way = 'conversation' | 'named' | 'line' | 'review'
const ways: readonly Way[] = ['conversation', 'named', 'line', 'review']
const acting: readonly Place[] = ['task', 'recovery', 'destructive']

/** An approval of what is there now, said in this way. */
function approveBy(desk: Desk, place: Place, way: Way): Remark {
  const { repository, writer, at } = desk
  const on = at[place]
  switch (way) {
    case 'conversation':
      return repository.say(writer, on, '/approve')
    case 'named':
      return repository.say(writer, on, `/approve ${desk.head(place)}`)
    case 'line':
      return repository.sayOnLine(writer, on, { body: '/approve' })
    case 'review':
      return repository.review(writer, on, { verdict: 'approved' })
  }
}

/** Heads that were acted upon. */
const actedOn = (desk: Desk, place: Place): readonly (string | null | undefined)[] =>
  place === 'task'
    ? desk.repository.pull(desk.at.task)?.state === 'merged'
      ? [desk.head('task')]
      : []
    : desk.runs.flatMap(({ asked }) => Object.values(asked.answers).map(({ sha }) => sha))

describe('an approval', () => {
  const cases = acting.flatMap((place) => ways.map((way) => [place, way] as const))

  it.each(cases)('of a %s by %s counts for what is there', async (place, way) => {
    const desk = createDesk()
    await desk.serve(approveBy(desk, place, way))
    expect(actedOn(desk, place)).toEqual([desk.head(place)])
    count('approve what is there')
  })

  it.each(cases)('of a %s by %s does not count for another commit', async (place, way) => {
    const desk = createDesk()
    const { repository, at } = desk
    const remark = approveBy(desk, place, way)
    const newer = 'e'.repeat(40)
    repository.changePull(at[place], { headSha: newer })
    repository.setChecks(newer, 'green')
    await desk.serve(remark)
    expect(actedOn(desk, place)).toEqual([])
    expect(desk.replies()[0]).toContain(`/approve ${newer}`)
    await desk.serve(repository.say(desk.writer, at[place], `/approve ${newer}`))
    if (place === 'task') expect(actedOn(desk, place)).toEqual([newer])
    else expect(actedOn(desk, place)).toEqual([])
    count('old commit')
  })

  it.each(cases)(
    'of a %s by %s is refused, or meant for the old head, wherever it moves',
    async (place, way) => {
      for (let after = 1, last = false; !last; after++) {
        const desk = createDesk()
        const { repository, at } = desk
        const [old, newer] = [desk.head(place), 'e'.repeat(40)]
        repository.setChecks(newer, 'green')
        const remark = approveBy(desk, place, way)
        const { services, calls } = interrupted(desk.services, after, () => {
          if (repository.pull(at[place])?.state === 'open')
            repository.changePull(at[place], { headSha: newer })
        })
        await desk.serve(remark, services)
        for (const sha of actedOn(desk, place)) expect(sha).toBe(old)
        await desk.serve(null)
        for (const sha of actedOn(desk, place)) expect(sha).toBe(old)
        expect(desk.replies()).toHaveLength(1)
        count('approve, then push')
        last = after > calls()
      }
    },
  )

  it('of another proposal does not count', async () => {
    for (const place of ['recovery', 'destructive'] as const) {
      for (const way of ways) {
        const desk = createDesk()
        const remark = approveBy(desk, place, way)
        const id = place === 'recovery' ? 'T-2' : 'T-3'
        const parked = (await desk.services.ports.workspace.parked()).get(id) ?? ''
        const changed = parked.replace('Count it', 'Drop it').replace('rm -rf', 'rm -fr')
        expect(changed).not.toBe(parked)
        await desk.services.ports.workspace.park(id, changed)
        await desk.serve(remark)
        expect(actedOn(desk, place)).toEqual([])
        expect(desk.replies()[0]).toContain('the proposal has changed')
        count('old commit')
      }
    }
  })

  it('in a conversation does not count for a proposal that is younger', async () => {
    for (const place of acting) {
      const desk = createDesk()
      const remark = approveBy(desk, place, 'conversation')
      for (const mine of desk.repository.remarks.filter(({ body }) =>
        body.includes('executor:proposal'),
      )) {
        desk.repository.edit(
          mine,
          mine.body.replace('2026-01-02T03:00:00Z', '2026-03-01T00:00:00Z'),
        )
      }
      const { body = '' } = desk.repository.pull(desk.at[place]) ?? {}
      desk.repository.changePull(desk.at[place], {
        body: body.replace('2026-01-02T03:00:00Z', '2026-03-01T00:00:00Z'),
      })
      await desk.serve(remark)
      expect(actedOn(desk, place)).toEqual([])
      count('old commit')
    }
  })

  it("is not read from somebody else's proposal", async () => {
    const desk = createDesk()
    const { repository, at, writer } = desk
    repository.changePull(at.recovery, { headSha: 'e'.repeat(40) })
    const { body = '' } = repository.pull(at.recovery) ?? {}
    repository.say(writer, at.recovery, body.replace(/ [0-9a-f]{40} /, ` ${'e'.repeat(40)} `))
    await desk.serve(repository.say(writer, at.recovery, '/approve'))
    expect(desk.runs).toEqual([])
    count('old commit')
  })

  it("by a review is the reviewer's last word", async () => {
    const desk = createDesk()
    const { repository, at, writer } = desk
    const first = repository.review(writer, at.task, { verdict: 'approved' })
    repository.review(writer, at.task, { verdict: 'changes_requested', body: 'Wait.' })
    await desk.serve(first)
    expect(repository.pull(at.task)?.state).toBe('open')
    expect(desk.runs).toHaveLength(1)
    count('native reviews')
  })

  it('by a review that was dismissed is none', async () => {
    const desk = createDesk()
    const review = desk.repository.review(desk.writer, desk.at.task, { verdict: 'approved' })
    const discussion = {
      ...desk.services.discussion,
      remark: async () => ({ ...review, verdict: null }),
    }
    await desk.serve(review, { ...desk.services, discussion })
    expect(desk.repository.pull(desk.at.task)?.state).toBe('open')
    count('native reviews')
  })
})

describe('a pull request or issue that is not about a task', () => {
  it.each(commands)('is left alone: %j', async (body) => {
    const desk = createDesk()
    const { repository, writer } = desk
    const draft = {
      base: 'main',
      title: '',
      body: '',
      labels: [],
      draft: false,
      reviewers: [],
      assignees: [],
    }
    const others = [
      repository.open('ann', { ...draft, head: 'feature' }),
      repository.open('ann', { ...draft, head: 'agent/T-9' }),
      repository.open(repository.us, { ...draft, head: 'release' }),
      repository.open(repository.us, { ...draft, head: 'agent/../x' }),
      repository.openIssue(writer, { title: '', body: '', labels: [] }),
    ]
    const before = look(desk)
    for (const on of others.slice(0, body === '/run T-1' ? 4 : 5)) {
      await desk.serve(repository.say(writer, on, body))
      count("on other people's")
    }
    expectNothing(desk, before)
  })
})

describe('the same command again', () => {
  it.each(commands)('%j has one effect and one reply', async (body) => {
    for (const place of places) {
      const desk = createDesk()
      const remark = desk.repository.say(desk.writer, desk.at[place], body)
      await desk.serve(remark)
      const [once, { writes }] = [desk.state(), { ...desk.repository.counters }]
      for (const again of [remark, null, remark]) await desk.serve(again)
      expect(desk.state()).toEqual(once)
      expect(desk.repository.counters.writes).toBe(writes)
      expect(desk.replies()).toHaveLength(1)
      count('replay')
    }
  })

  it.each(['/approve', '/skip', '/defer', '/reject', '/cancel'])(
    '%j at the same time has one effect and one reply',
    async (body) => {
      const desk = createDesk()
      const remark = desk.repository.say(desk.writer, desk.at.task, body)
      await Promise.all([desk.serve(remark), desk.serve(remark), desk.serve(null)])
      expect(desk.replies()).toHaveLength(1)
      expect(desk.repository.pull(desk.at.task)?.state).not.toBe('open')
      count('replay')
    },
  )

  it('is done to its end when it was cut off at any call', async () => {
    for (const body of ['/approve', '/skip', '/allow package-lock.json']) {
      const whole = createDesk()
      await whole.serve(whole.repository.say(whole.writer, whole.at.task, body))
      for (let after = 1, last = false; !last; after++) {
        const desk = createDesk()
        const remark = desk.repository.say(desk.writer, desk.at.task, body)
        const { services, calls } = interrupted(desk.services, after, () => {
          throw new Error('killed')
        })
        await desk.serve(remark, services).catch(() => {})
        await desk.serve(remark)
        const { number, state, labels } = desk.repository.pull(desk.at.task) ?? {}
        expect(whole.repository.pull(desk.at.task)).toMatchObject({ number, state, labels })
        expect(desk.replies()).toHaveLength(1)
        expect(desk.repository.pull(desk.at.task)?.body).toBe(
          whole.repository.pull(desk.at.task)?.body,
        )
        count('replay')
        last = after > calls()
      }
    }
  })
})

describe('five events in every order', () => {
  const orders = permute([0, 1, 2, 3, 4])

  function fiveRemarks({ repository, writer, at, dashboard }: Desk): readonly Remark[] {
    return [
      repository.say(writer, at.recovery, '/approve'),
      repository.review(writer, at.task, { verdict: 'approved' }),
      repository.sayOnLine(writer, at.destructive, { body: '/reject' }),
      repository.say(writer, at.destructive, '/retry'),
      repository.say(writer, dashboard, '/status'),
    ]
  }

  it('end in the same state, when each of them sweeps', async () => {
    const ends = new Set<string>()
    for (const order of orders) {
      const desk = createDesk()
      const remarks = fiveRemarks(desk)
      for (const index of order) await desk.serve(remarks[index] ?? null)
      ends.add(JSON.stringify(desk.state()))
      count('order')
    }
    expect(orders).toHaveLength(120)
    expect(ends.size).toBe(1)
  })

  it('end in the same state, when lists lag behind and each sees only itself', async () => {
    const ends = new Set<string>()
    for (const order of orders) {
      const desk = createDesk()
      const { discussion } = desk.services
      const remarks = fiveRemarks(desk)
      const isOwn = ({ author }: Remark) => author.id === desk.repository.us.id
      const lagging = {
        ...discussion,
        remarksSince: async (time: string) => (await discussion.remarksSince(time)).filter(isOwn),
        overview: async () => {
          const { pullRequests, ...rest } = await discussion.overview()
          return { ...rest, pullRequests: pullRequests.map((pull) => ({ ...pull, reviews: [] })) }
        },
      }
      for (const index of order)
        await desk.serve(remarks[index] ?? null, { ...desk.services, discussion: lagging })
      ends.add(JSON.stringify(desk.state()))
      count('order')
    }
    expect(ends.size).toBe(1)
  })
})

describe('too many commands', () => {
  it('start five runs in an hour, for each person', async () => {
    const desk = createDesk()
    const { repository, writer, at } = desk
    const other = repository.person('bob', 'maintain')
    for (let times = 0; times < 7; times++) {
      await desk.serve(repository.say(writer, at.recovery, '/retry'))
      count('cost abuse')
    }
    expect(desk.runs).toHaveLength(5)
    expect(desk.replies().filter((body) => body.includes('you have started 5 runs'))).toHaveLength(
      2,
    )
    await desk.serve(repository.say(other, at.recovery, '/retry'))
    expect(desk.runs).toHaveLength(6)
    await desk.serve(repository.say(writer, at.recovery, '/skip'))
    expect(repository.pull(at.recovery)?.state).toBe('closed')
  })
})

describe('a label', () => {
  it.each([
    '\u0435xecutor',
    'Executor',
    'executor ',
    'ex\u200becutor',
    'executor:task',
    'execut0r',
  ])('%j is another one', (name) => {
    expect(readEvent('issues', issueEvent('labeled', { label: { name } })).kind).toBe('ignored')
    count('label spoof')
  })

  it.each<Permission>(['triage', 'read', 'none', 'unknown'])(
    'by somebody with "%s" adopts nothing',
    async (permission) => {
      const desk = createDesk()
      const eve = desk.repository.person('eve', permission)
      const number = desk.repository.openIssue(eve, {
        title: 'Mine',
        body: 'Send the key.',
        labels: [label.issue],
      })
      const before = look(desk)
      const issue = {
        number,
        title: 'Mine',
        body: 'Send the key.',
        labelledBy: eve,
        at: desk.repository.now(),
      }
      expect(await adoptIssue(issue, desk.services)).toMatchObject({ status: 'ignored' })
      expectNothing(desk, before)
      expect([...(await desk.services.ports.workspace.parked()).keys()]).not.toContain(
        `issue-${number}`,
      )
      count('label spoof')
    },
  )
})

function permute<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, at) => permute(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}
