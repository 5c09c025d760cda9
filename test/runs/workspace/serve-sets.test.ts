import { describe, expect, it, test } from 'vitest'
import type { Task } from '../../../packages/task/task-schema.ts'
import { ExecutorError } from '../../../src/core/domain/errors.ts'
import { label, memberMarker } from '../../../src/core/domain/identity.ts'
import type { PullRequest } from '../../../src/core/ports/forge.ts'
import type { Repositories } from '../../../src/runs/workspace/repositories.ts'
import {
  findWoken,
  type ServedRepository,
  serveSets,
} from '../../../src/runs/workspace/serve-sets.ts'
import { untouchedResult } from '../../../src/tasks/standing/untouched-result.ts'
import { aTask } from '../../fakes/facts.ts'
import { createDesk, type Desk, interrupted } from '../commands/desk.ts'

type Name = 'api' | 'web'
const names: readonly Name[] = ['api', 'web']

const task = aTask({ id: 'T-1' })

interface Options {
  readonly atomic?: boolean
  readonly interruptedAt?: number
  readonly sets?: Repositories['sets']
  /** The tasks of a repository, whose work is on one pull request. */
  readonly tasks?: readonly Task[]
  /** A third repository, which cannot be read. */
  readonly broken?: Error
}

/** Two repositories with one finished task each, which are a set. */
function open(options: Options = {}) {
  const { atomic = true, interruptedAt = Number.POSITIVE_INFINITY, tasks = [task] } = options
  const { broken, sets = [{ name: 'pay', tasks: ['web:T-1', 'api:T-1'], atomic }] } = options
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
    names: broken === undefined ? names : ['old', ...names],
    sets,
    doors: {
      standing: async (name) => {
        if (name === 'old' && broken !== undefined) throw broken
        const pullRequest = { number: deskNamed(name).at.task, url: 'https://github.test/1' }
        const facts = { verdict: 'in_review', reason: '', pullRequest } as const
        const results = tasks.flatMap((each) =>
          each.status === 'done' ? [] : [[each.id, untouchedResult(each, facts)] as const],
        )
        return { tasks, results: Object.fromEntries(results) }
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
  const pass = () => serveSets(workspace, (line) => said.push(line))
  const states = () => names.map((name) => pullOf(desks[name])?.state)
  return { workspace, desks, pass, states, said, wasKilled: () => isKilled }
}

const pullOf = ({ repository, at }: Desk): PullRequest | null => repository.pull(at.task)

const both = [task, aTask({ id: 'T-2' })]

/** Makes the finished pull request a group's. Returns its body as it was. */
function group({ repository, at }: Desk): string {
  const body = repository.pull(at.task)?.body ?? ''
  const members = both.map(memberMarker).join('\n')
  repository.changePull(at.task, { body: body.replace('<!--', `${members}\n<!--`) })
  return body
}

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
    ['a conflict', (desk) => desk.repository.setFacts(desk.at.task, { conflicts: true })],
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
      if (wasKilled()) await pass()
      expect(states(), `killed after call ${at}`).toEqual(['merged', 'merged'])
      if (!wasKilled()) return
    }
  })

  it('merges nothing once its repository no longer merges on approval', async () => {
    const { desks, pass, states } = open()
    await approve(desks.api)
    await approve(desks.web)
    const { settings } = desks.web.services.ports
    Object.assign(settings, { merge: { ...settings.merge, onApprove: false } })
    await pass()
    expect(states()).toEqual(['open', 'open'])
  })

  it('merges other sets while a repository cannot be read', async () => {
    const sets = [
      { name: 'gone', tasks: ['old:T-1', 'api:T-1'], atomic: true },
      { name: 'pay', tasks: ['api:T-1', 'web:T-1'], atomic: true },
    ]
    const broken = new ExecutorError('workspace_invalid', 'ada/old cannot be read')
    const { workspace, desks, pass, states } = open({ sets: sets.slice(1), broken })
    await approve(desks.api)
    await approve(desks.web)
    expect(await serveSets({ ...workspace, sets: sets.slice(0, 1) }, () => {})).toEqual([
      'set gone: The workspace cannot be used: ada/old cannot be read',
    ])
    expect(await pass()).toEqual([])
    expect(states()).toEqual(['merged', 'merged'])
    const away = open({ broken: new ExecutorError('forge_unreachable', '502') })
    await expect(away.pass()).rejects.toMatchObject({ code: 'forge_unreachable' })
  })

  it('merges no pull request that holds a task of another set', async () => {
    const sets = [
      { name: 'pay', tasks: ['api:t-1', 'web:t-1'], atomic: true },
      { name: 'tax', tasks: ['api:T-2'], atomic: true },
    ]
    const { desks, pass, states } = open({ tasks: both, sets })
    const before = group(desks.api)
    await approve(desks.api)
    await approve(desks.web)
    await pass()
    expect(states()).toEqual(['open', 'open'])
    expect(commentOf(desks.api)).toContain('shares its pull request with the set tax')
    desks.api.repository.changePull(desks.api.at.task, { body: before })
    await pass()
    expect(states()).toEqual(['merged', 'merged'])
  })

  it('merges the rest once a group is merged that has a task of the set', async () => {
    const tasks = [task, { ...aTask({ id: 'T-2' }), status: 'done' } as const]
    const sets = [{ name: 'pay', tasks: ['api:T-2', 'web:T-1'], atomic: true }]
    const { desks, pass, states } = open({ tasks, sets })
    group(desks.api)
    desks.api.repository.merge(desks.api.at.task)
    await approve(desks.web)
    await pass()
    expect(states()).toEqual(['merged', 'merged'])
    expect(commentOf(desks.web)).toMatch(/api:T-2`: \S+ \(merged\)/)
  })

  it('reverts a group by the name of its first task', async () => {
    const sets = [{ name: 'pay', tasks: ['api:T-2', 'web:T-1'], atomic: true }]
    const { desks, pass, states } = open({ tasks: both, sets })
    group(desks.api)
    await approve(desks.api)
    await approve(desks.web)
    desks.web.repository.setFacts(desks.web.at.task, { blocked: 'A review is missing.' })
    expect(await pass()).toEqual([])
    expect(states()).toEqual(['merged', 'open'])
    expect(revertsIn(desks.api)).toMatchObject([{ head: 'agent/T-1', state: 'open' }])
    desks.web.repository.setFacts(desks.web.at.task, { blocked: null })
    await pass()
    expect(states()).toEqual(['merged', 'open'])
  })

  it('says of an atomic set that is merged halfway why, and reverts what was merged, once', async () => {
    const { desks, pass, states, said } = open()
    const { api, web } = desks
    await approve(api)
    await approve(web)
    web.repository.setFacts(web.at.task, { blocked: 'A review is missing.' })
    await pass()
    expect(states()).toEqual(['merged', 'open'])
    expect(commentOf(web)).toContain(
      '**api:T-1 merged, and web:T-1 cannot be merged: A review is missing. The set is atomic',
    )
    expect(said).toContainEqual(expect.stringMatching(/^set pay: api:T-1 merged, and web:T-1/))
    const [revert] = revertsIn(api)
    await pass()
    api.repository.close(revert?.number ?? 0)
    await pass()
    expect(revertsIn(api)).toMatchObject([{ state: 'closed' }])
    web.repository.setFacts(web.at.task, { blocked: null })
    await pass()
    expect(states()).toEqual(['merged', 'merged'])
  })

  it.each([false, true])(
    'proposes the revert, wherever it is killed; then a push: %s',
    async (isPushed) => {
      for (let at = 1; ; at += 1) {
        const { desks, pass, wasKilled } = open({ interruptedAt: at })
        const { repository } = desks.web
        await approve(desks.api)
        await approve(desks.web)
        repository.setFacts(desks.web.at.task, { blocked: 'A review is missing.' })
        await pass().catch(() => {})
        // What it said before it was killed, it does.
        const isTold = commentOf(desks.web).includes('The set is atomic')
        if (isPushed && isTold)
          repository.changePull(desks.web.at.task, { headSha: 'e'.repeat(40) })
        if (wasKilled()) await pass()
        expect(revertsIn(desks.api), `killed after call ${at}`).toMatchObject([{ state: 'open' }])
        if (!wasKilled()) return
      }
    },
  )

  it('says nothing of a failure once the merged part is reverted', async () => {
    const { desks, pass } = open()
    await approve(desks.api)
    await approve(desks.web)
    desks.web.repository.setFacts(desks.web.at.task, { blocked: 'A review is missing.' })
    await pass()
    expect(commentOf(desks.web)).toContain('executor:halfway')
    desks.api.repository.close(revertsIn(desks.api)[0]?.number ?? 0)
    desks.api.repository.changePull(desks.api.at.task, { state: 'closed' })
    await pass()
    expect(commentOf(desks.web)).not.toContain('executor:halfway')
  })

  it('tells when a revert cannot be proposed', async () => {
    const { desks, pass } = open()
    await approve(desks.api)
    await approve(desks.web)
    desks.web.repository.setFacts(desks.web.at.task, { blocked: 'A review is missing.' })
    Object.assign(desks.api.services.ports.forge, {
      upsertPullRequest: async () => ({ status: 'refused', code: 'forge_denied', detail: '403' }),
    })
    expect(await pass()).toEqual([
      'set pay: the revert of api:T-1 is not proposed: agent/T-1 is pushed; 403',
    ])
  })
})

describe('findWoken', () => {
  it('leaves out a repository that is switched off, and one that cannot be read', async () => {
    const broken = new ExecutorError('no_roadmap', 'ROADMAP.md')
    const tasks = [{ ...task, elsewhere: ['old:T-1'] }]
    const { workspace, desks } = open({ broken, tasks })
    const doors = { ...workspace.doors, work: async () => ({ ready: ['T-1'] }) }
    desks.api.repository.label(desks.api.writer, desks.api.dashboard, label.stop)
    expect(await findWoken({ ...workspace, doors })).toEqual([{ repository: 'web', tasks }])
  })
})

const revertsIn = ({ repository }: Desk) =>
  repository.pulls.filter(({ title }) => title.startsWith('Revert '))

const approvalIn = ({ remarks }: Desk['repository']) => {
  const found = remarks.find(({ body }) => body === '/approve')
  if (found === undefined) throw new Error('No one approved.')
  return found
}
