import { describe, expect, it, test } from 'vitest'
import { label } from '../../../src/core/domain/identity.ts'
import type { PullRequest } from '../../../src/core/ports/forge.ts'
import { untouchedResult } from '../../../src/roadmap/standing/untouched-result.ts'
import type { Repositories } from '../../../src/runs/workspace/repositories.ts'
import { type ServedRepository, serveSets } from '../../../src/runs/workspace/serve-sets.ts'
import { aTask } from '../../fakes/facts.ts'
import { createDesk, type Desk, interrupted } from '../commands/desk.ts'

type Name = 'api' | 'web'
const names: readonly Name[] = ['api', 'web']

const task = aTask({ id: 'T-1' })

/** Two repositories with one finished task each, which are a set. */
function open({ atomic = true, interruptedAt = Number.POSITIVE_INFINITY } = {}) {
  const deskOf = (name: Name) =>
    createDesk({ sets: async () => ({ status: 'member', task: `${name}:T-1`, set: 'pay' }) })
  const desks: Readonly<Record<Name, Desk>> = { api: deskOf('api'), web: deskOf('web') }
  let isKilled = false
  const killed = () => {
    isKilled = true
    throw new Error('killed')
  }
  const services = {
    api: interrupted(desks.api.services, interruptedAt, killed).services,
    web: desks.web.services,
  }
  const deskNamed = (name: string) => desks[name === 'api' ? 'api' : 'web']
  const workspace: Repositories<ServedRepository> = {
    names,
    sets: [{ name: 'pay', tasks: ['web:T-1', 'api:T-1'], atomic }],
    doors: {
      standing: async (name) => {
        const pullRequest = { number: deskNamed(name).at.task, url: 'https://github.test/1' }
        const facts = { verdict: 'in_review', reason: '', pullRequest } as const
        return { tasks: [task], results: { 'T-1': untouchedResult(task, facts) } }
      },
      pullRequests: async (name) => deskNamed(name).services.ports.forge.pullRequests(),
      opened: async (name) => ({
        ...services[name === 'api' ? 'api' : 'web'],
        last: async () => null,
        close: async () => {},
      }),
      look: async () => ({ status: 'unknown' }),
      ready: async () => ({ ready: [], waits: {} }),
      work: async () => ({ ready: [] }),
      forget: async () => {},
      close: async () => {},
    },
  }
  const said: string[] = []
  const pass = async () => {
    await serveSets(workspace, (line) => said.push(line))
  }
  const states = () => names.map((name) => pullOf(desks[name])?.state)
  return { desks, pass, states, said, wasKilled: () => isKilled }
}

const pullOf = ({ repository, at }: Desk): PullRequest | null => repository.pull(at.task)

async function approve(desk: Desk): Promise<void> {
  await desk.serve(desk.repository.say(desk.writer, desk.at.task, '/approve'))
}

const commentOf = ({ repository, at }: Desk): string =>
  repository.remarks.findLast(
    ({ on, body }) => on === at.task && body.startsWith('<!-- executor:set pay -->'),
  )?.body ?? ''

describe('serveSets', () => {
  it.each([
    ['api', 'web'],
    ['web', 'api'],
  ] as const)('merges an atomic set once both are approved: %s, then %s', async (first, second) => {
    const { desks, pass, states } = open()
    await approve(desks[first])
    await pass()
    expect(states()).toEqual(['open', 'open'])
    expect(commentOf(desks.web)).toMatch(new RegExp(`${first}:T-1\`: .* \\(approved\\)`))
    expect(commentOf(desks.web)).toMatch(
      new RegExp(`${second}:T-1\`: .* \\(waits for its approval\\)`),
    )
    await approve(desks[second])
    await pass()
    expect(states()).toEqual(['merged', 'merged'])
  })

  it('merges another set as far as it is approved, in order', async () => {
    const { desks, pass, states } = open({ atomic: false })
    await approve(desks.web)
    await pass()
    expect(states()).toEqual(['open', 'open'])
    await approve(desks.api)
    desks.web.repository.setChecks(desks.web.head('task'), 'pending')
    await pass()
    expect(states()).toEqual(['merged', 'open'])
    expect(commentOf(desks.web)).toMatch(/api:T-1`: .* \(merged\)\n2\. .* \(waits for its checks\)/)
    desks.web.repository.setChecks(desks.web.head('task'), 'green')
    await pass()
    expect(states()).toEqual(['merged', 'merged'])
  })

  test.each<[string, (desk: Desk) => void]>([
    ['a push', (desk) => desk.repository.changePull(desk.at.task, { headSha: 'e'.repeat(40) })],
    [
      'an edit of its comment',
      ({ repository }) => repository.edit(approvalIn(repository), '/approve '),
    ],
    ['the loss of its comment', ({ repository }) => repository.delete(approvalIn(repository))],
    ['the loss of the right to write', ({ repository }) => void repository.person('ann', 'read')],
    [
      'the label that stops everything',
      (desk) => desk.repository.label(desk.writer, desk.dashboard, label.stop),
    ],
    ['red checks', (desk) => desk.repository.setChecks(desk.head('task'), 'red')],
  ])('merges nothing after %s', async (_, change) => {
    const { desks, pass, states } = open()
    await approve(desks.api)
    await approve(desks.web)
    change(desks.web)
    await pass()
    expect(states()).toEqual(['open', 'open'])
  })

  it('merges whole and says the same, wherever it is killed', async () => {
    for (let at = 1; ; at += 1) {
      const { desks, pass, states, wasKilled } = open({ interruptedAt: at })
      await approve(desks.api)
      await approve(desks.web)
      await pass().catch(() => {})
      await pass()
      expect(states(), `killed after call ${at}`).toEqual(['merged', 'merged'])
      if (!wasKilled()) return
    }
  })

  it('says of an atomic set that is merged halfway why, and reverts what was merged', async () => {
    const { desks, pass, states, said } = open()
    await approve(desks.api)
    await approve(desks.web)
    desks.web.repository.setFacts(desks.web.at.task, { blocked: 'A review is missing.' })
    await pass().catch((error: unknown) => said.push(String(error)))
    expect(states()).toEqual(['merged', 'open'])
    expect(commentOf(desks.web)).toContain(
      '**api:T-1 merged, and web:T-1 cannot be merged: A review is missing. The set is atomic',
    )
    expect(said).toContainEqual(expect.stringMatching(/^set pay: api:T-1 merged, and web:T-1/))
  })
})

const approvalIn = ({ remarks }: Desk['repository']) => {
  const found = remarks.find(({ body }) => body === '/approve')
  if (found === undefined) throw new Error('No one approved.')
  return found
}
