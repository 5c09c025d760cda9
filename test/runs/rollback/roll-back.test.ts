import { describe, expect, it } from 'vitest'
import { isRolledBack, label, trailer } from '../../../src/core/domain/identity.ts'
import type { Ports } from '../../../src/core/ports.ts'
import { undo } from '../../../src/runs/commands/undo-task.ts'
import { planRollback, rollBack } from '../../../src/runs/rollback/roll-back.ts'
import { runRoadmap } from '../../../src/runs/run-roadmap.ts'
import { fakePorts, someSettings } from '../../fakes/facts.ts'
import { createMemoryDiscussion } from '../../fakes/memory-discussion.ts'
import { createMemoryForge } from '../../fakes/memory-forge.ts'
import { createMemoryRepository } from '../../fakes/memory-repository.ts'
import { createMemoryStore } from '../../fakes/memory-store.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'
import { createScriptedSandbox } from '../../fakes/scripted-sandbox.ts'
import { createSilentPerson } from '../../fakes/silent-person.ts'

const roadmap = `# Plan

- [ ] T-1: Create \`src/one.js\`
- [ ] T-2: Create \`src/two.js\`
  - Depends on: T-1
`
const base = { 'ROADMAP.md': roadmap, 'package.json': '{ "type": "module" }\n' }
const code: Readonly<Record<string, string>> = {
  'T-1': 'src/one.js\n```js\nexport const one = 1\n```\n',
  'T-2': 'src/two.js\n```js\nexport const two = 2\n```\n',
}

/** A repository on GitHub, and runs and rollbacks that work in it. */
function createWorld() {
  const workspace = createMemoryWorkspace({ files: base })
  const repository = createMemoryRepository({
    tipOf: (branch) => workspace.head(branch),
    mergeCommit: ({ headSha }) => workspace.push('main', workspace.filesAt(headSha), 'Merge (#1)'),
  })
  const forge = createMemoryForge(repository)
  const store = createMemoryStore()
  const settings = someSettings()
  const complete: Ports['model']['complete'] = async ({ messages }) => {
    const task = /TASK (T-\d)/.exec(messages.at(-1)?.content ?? '')?.[1] ?? ''
    const usage = { requests: 1, promptTokens: 10, completionTokens: 10, dollars: 0.5 }
    return { status: 'answered', text: code[task] ?? '', finish: 'stop', usage }
  }
  const ports = fakePorts({
    workspace,
    forge,
    store,
    settings: {
      ...settings,
      strategy: 'single',
      stack: 'auto',
      commit: { ...settings.commit, email: 'bot@example.org' },
    },
    person: createSilentPerson(),
    sandbox: createScriptedSandbox(),
    syntax: { check: async () => ({ status: 'unavailable', reason: '' }) },
    random: { hex: () => 'abcdef', fraction: () => 0 },
    model: { complete },
  })
  const run = () =>
    runRoadmap(ports, {
      only: null,
      fresh: true,
      dryRun: false,
      signal: new AbortController().signal,
    })
  const plan = (target: string, more: { newest?: number; withDependents?: boolean } = {}) =>
    planRollback({ target, newest: null, withDependents: false, ...more }, ports)
  const back = async (...asked: Parameters<typeof plan>) => rollBack(await plan(...asked), ports)
  return { workspace, forge, repository, store, ports, run, plan, back }
}

type World = ReturnType<typeof createWorld>

const kindsOf = (operations: readonly { readonly kind: string; readonly task: string }[]) =>
  operations.map(({ kind, task }) => `${kind} ${task}`)

async function tipOf({ workspace }: World, name: string) {
  const { branches } = await workspace.refresh()
  const tip = branches.find((branch) => branch.name === name)
  if (tip === undefined) throw new Error(`there is no ${name}`)
  return tip
}

const filesOn = (world: World, branch: string) =>
  world.workspace.filesAt(world.workspace.head(branch) ?? '')

describe('a rollback', () => {
  it('of a run takes all of it back, newest first, and the next run does it anew', async () => {
    const world = createWorld()
    const { forge, store, workspace, run, plan, back } = world
    const {
      run: { id: runId },
    } = await run()
    const tips = [workspace.head('agent/T-1'), workspace.head('agent/T-2')]
    expect(filesOn(world, 'agent/T-2')['src/two.js']).toBe('export const two = 2\n')

    const planned = await plan('last')
    expect(planned.target).toBe(runId)
    expect(kindsOf(planned.operations)).toEqual([
      'close T-2',
      'revert T-2',
      'close T-1',
      'revert T-1',
    ])
    expect(planned.stays).toContain('what the model calls used: 40 tokens, $1.0000')
    expect(workspace.head('agent/T-1')).toBe(tips[0])

    const done = await back(runId.slice(0, -2))
    expect(done.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done', 'done'])
    expect(filesOn(world, 'agent/T-1')).toEqual(base)
    expect(filesOn(world, 'agent/T-2')).not.toHaveProperty('src/two.js')
    for (const [place, task] of ['T-1', 'T-2'].entries()) {
      const tip = await tipOf(world, `agent/${task}`)
      expect(tip.parent).toBe(tips[place])
      expect(tip.trailers).toEqual({
        [trailer.run]: runId,
        [trailer.task]: task,
        [trailer.attempt]: '1',
        [trailer.outcome]: 'rolled-back',
        [trailer.reverts]: tips[place],
      })
    }
    expect(
      forge.pulls.map(({ state, labels }) => [state, labels.includes(label.rolledBack)]),
    ).toEqual([
      ['closed', true],
      ['closed', true],
    ])
    expect(forge.comments.filter(({ body }) => body.includes('executor rollback'))).toHaveLength(2)
    const journal = await store.journal(runId)
    expect(journal.filter(({ kind }) => kind === 'undone')).toMatchObject([
      { operation: 'close', task: 'T-2', outcome: 'done' },
      { operation: 'revert', task: 'T-2', key: tips[1] },
      { operation: 'close', task: 'T-1', key: '#1' },
      { operation: 'revert', task: 'T-1', key: tips[0], outcome: 'done' },
    ])

    const writes = forge.writes
    const heads = [workspace.head('agent/T-1'), workspace.head('agent/T-2')]
    expect(await back(runId)).toEqual([])
    expect([workspace.head('agent/T-1'), workspace.head('agent/T-2')]).toEqual(heads)
    expect(forge.writes).toBe(writes)

    const next = await run()
    expect(Object.values(next.tasks.results).map(({ verdict }) => verdict)).toEqual([
      'unverified',
      'unverified',
    ])
    expect(filesOn(world, 'agent/T-1')['src/one.js']).toBe('export const one = 1\n')
    expect(await workspace.contains(workspace.head('agent/T-1') ?? '', heads[0] ?? '')).toBe(true)
    expect(forge.pulls.filter(({ state }) => state === 'open')).toHaveLength(2)
  })

  it('takes away the leases on it, and names that of a run which works yet', async () => {
    const { ports, run, plan } = createWorld()
    await run()
    const planned = await plan('T-2')
    const [dropped, warned]: [string[], string[]] = [[], []]
    const drop = async (names: readonly string[]) => {
      dropped.push(...names)
      return ['T-2: run 7 works on it']
    }
    const leases = { ...ports.leases, drop }
    await rollBack(planned, { ...ports, leases }, undefined, (said) => warned.push(said))
    expect(dropped).toEqual(['T-2', ...planned.runs])
    expect(planned.runs).toHaveLength(1)
    expect(warned).toEqual([
      'T-2: run 7 works on it; work that it writes after this is not reverted.',
    ])
  })

  it('killed at any point is finished by the next one', async () => {
    for (const cut of [1, 2, 3]) {
      const world = createWorld()
      await world.run()
      const planned = await world.plan('last')
      await rollBack(
        { ...planned, operations: planned.operations.slice(0, cut), last: null },
        world.ports,
      )
      const rest = await world.back('last')
      expect(rest).toHaveLength(4 - cut)
      expect(world.forge.pulls.every(({ state }) => state === 'closed')).toBe(true)
      expect(isRolledBack(await tipOf(world, 'agent/T-1'))).toBe(true)
      expect(isRolledBack(await tipOf(world, 'agent/T-2'))).toBe(true)
    }
  })

  it('of a task says what is built on it, and takes that with it when asked to', async () => {
    const world = createWorld()
    await world.run()
    const alone = await world.plan('T-1')
    expect(alone.dependents).toEqual([{ task: 'T-2', on: 'T-1' }])
    expect(kindsOf(alone.operations)).toEqual(['close T-1', 'revert T-1'])
    expect((await world.plan('T-2')).dependents).toEqual([])
    const all = await world.plan('T-1', { withDependents: true })
    expect(kindsOf(all.operations)).toEqual(['close T-2', 'revert T-2', 'close T-1', 'revert T-1'])
  })

  it.each([
    [1, ['close T-2'], { 'T-2': 'done' }],
    [2, ['close T-2', 'revert T-2'], { 'T-2': 'rolled-back' }],
  ])('takes the newest %i back alone', async (newest, kinds, outcomes) => {
    const world = createWorld()
    await world.run()
    expect(
      kindsOf((await world.back('last', { newest })).map(({ operation }) => operation)),
    ).toEqual(kinds)
    const tip = await tipOf(world, 'agent/T-2')
    expect(tip.trailers[trailer.outcome]?.replace('unverified', 'done')).toBe(outcomes['T-2'])
    expect(isRolledBack(await tipOf(world, 'agent/T-1'))).toBe(false)
    const next = await world.run()
    expect(next.tasks.results['T-2']).toMatchObject({ thisRun: true, branch: 'agent/T-2' })
    expect(next.tasks.results['T-1']).toMatchObject({ thisRun: false, verdict: 'in_review' })
  })

  it("leaves a person's commit that conflicts with it alone, and keeps one that does not", async () => {
    const world = createWorld()
    const { workspace, run, back } = world
    await run()
    for (const [task, path, text] of [
      ['T-1', 'src/one.js', 'export const one = 11\n'],
      ['T-2', 'NOTES.md', 'by hand\n'],
    ] as const) {
      const head = workspace.head(`agent/${task}`) ?? ''
      const before = workspace.filesAt(head)[path]
      const change =
        before === undefined
          ? ({ action: 'create', path, content: text } as const)
          : ({ action: 'modify', path, before, content: text } as const)
      const sha = await workspace.commit({ parents: [head], changes: [change], message: 'by hand' })
      await workspace.publish(`agent/${task}`, sha, head)
    }
    const mine = workspace.head('agent/T-1')
    const planned = await world.plan('last')
    expect(planned.leftAlone).toEqual([
      'agent/T-2 has 1 commit by someone else, left unchanged',
      'agent/T-1 has 1 commit by someone else, left unchanged',
    ])
    const done = await back('last')
    expect(done.filter(({ outcome }) => outcome === 'left')).toMatchObject([
      { operation: { kind: 'revert', task: 'T-1' }, detail: expect.stringContaining('src/one.js') },
    ])
    expect(workspace.head('agent/T-1')).toBe(mine)
    expect(filesOn(world, 'agent/T-2')).toMatchObject({ 'NOTES.md': 'by hand\n' })
    expect(filesOn(world, 'agent/T-2')).not.toHaveProperty('src/two.js')
  })

  it('does not touch a branch of ours by name that is somebody else’s, nor one that moves meanwhile', async () => {
    const world = createWorld()
    world.workspace.push('agent/T-1', { 'x.txt': 'x' })
    const theirs = world.workspace.head('agent/T-1')
    const found = await world.plan('T-1')
    expect(found.operations).toEqual([])
    expect(found.leftAlone).toEqual([
      'agent/T-1 holds 1 commit by someone else and none by the executor',
    ])
    expect(world.workspace.head('agent/T-1')).toBe(theirs)

    const moving = createWorld()
    await moving.run()
    const planned = await moving.plan('T-2')
    const { revert } = moving.workspace
    const workspace = {
      ...moving.workspace,
      // Somebody pushes between the look and the push.
      revert: async (request: Parameters<typeof revert>[0]) => {
        const result = await revert(request)
        moving.workspace.push('agent/T-2', { 'x.txt': 'x' })
        return result
      },
    }
    const done = await rollBack(planned, { ...moving.ports, workspace })
    expect(done.at(-1)).toMatchObject({
      outcome: 'left',
      detail: expect.stringContaining('has moved meanwhile'),
    })
    expect(filesOn(moving, 'agent/T-2')).toMatchObject({ 'x.txt': 'x' })
  })

  it('proposes to take back what is merged, once, and the task is open when that is merged', async () => {
    const world = createWorld()
    const { workspace, forge, run, back, plan } = world
    await run()
    forge.mergeByHand(1)
    const main = workspace.head('main')
    expect(kindsOf((await plan('T-1')).operations)).toEqual(['propose_revert T-1'])
    const [done] = await back('T-1')
    expect(done).toMatchObject({
      outcome: 'done',
      detail: expect.stringContaining('#3 reverts it'),
    })
    expect(workspace.head('main')).toBe(main)
    expect(forge.pulls.find(({ number }) => number === 3)).toMatchObject({
      state: 'open',
      head: 'agent/T-1',
      base: 'main',
      labels: [label.rolledBack],
    })
    expect(filesOn(world, 'agent/T-1')).not.toHaveProperty('src/one.js')
    expect(await back('T-1')).toEqual([])

    forge.mergeByHand(3)
    expect(workspace.filesAt(workspace.head('main') ?? '')['ROADMAP.md']).toBe(roadmap)
    const {
      tasks: { results },
    } = await run()
    expect(results['T-1']).toMatchObject({ thisRun: true, branch: 'agent/T-1' })
  })

  it('does without a journal: a fresh clone finds the same', async () => {
    const world = createWorld()
    const {
      run: { id: runId },
    } = await world.run()
    const ports = { ...world.ports, store: createMemoryStore() }
    const asked = { target: runId.slice(0, 8), newest: null, withDependents: false }
    const planned = await planRollback(asked, ports)
    expect(planned.operations).toHaveLength(4)
    expect((await rollBack(planned, ports)).every(({ outcome }) => outcome === 'done')).toBe(true)
  })

  it.each([
    ['run-2031', 'unknown_run'],
    ['', 'unknown_run'],
    ['../../etc', 'unknown_run'],
    ['T-77', 'unknown_task'],
  ])('knows nothing of %j', async (target, errorCode) => {
    const world = createWorld()
    await world.run()
    await expect(world.plan(target)).rejects.toMatchObject({ code: errorCode })
  })
})

describe('/rollback', () => {
  const say = async (world: World, withDependents = false) => {
    const [pull] = (await world.forge.pullRequests()).filter(({ head }) => head === 'agent/T-1')
    if (pull === undefined) throw new Error('There is no pull request.')
    const author = world.repository.person('ann', 'write')
    const remark = world.repository.say(author, pull.number, '/rollback')
    const target = { kind: 'task', id: 'T-1', pull } as const
    const order = { command: { name: 'rollback', withDependents } as const, remark, target }
    const discussion = createMemoryDiscussion(world.repository)
    const context = {
      ...{ self: await discussion.self(), overview: await discussion.overview(), remarks: [] },
      standing: async () => ({ tasks: [], results: {} }),
    }
    return undo(order, context, { ports: world.ports, discussion })
  }
  const statesOf = async (world: World) =>
    (await world.forge.pullRequests()).map(({ head, state }) => `${head} ${state}`).sort()

  it('is refused while a task builds on the work, and takes that back, too, when told', async () => {
    const world = createWorld()
    await world.run()
    expect(await say(world)).toMatchObject({
      status: 'refused',
      reply: expect.stringMatching(/1 task builds on \*\*T-1\*\*: \*\*T-2\*\*.*with-dependents/),
    })
    expect(await statesOf(world)).toEqual(['agent/T-1 open', 'agent/T-2 open'])
    const done = await say(world, true)
    expect(done).toMatchObject({ status: 'done', changed: true })
    expect('reply' in done && done.reply).toMatch(
      /^Rolled back \*\*T-1\*\* for `ann`\. .*`\/reject` lets it rest\.\n\n- close #\S+ of agent\/T-2 [^\n]+\n- revert /,
    )
    expect(await statesOf(world)).toEqual(['agent/T-1 closed', 'agent/T-2 closed'])
    expect(await say(world)).toMatchObject({ reply: 'Nothing of **T-1** is left to revert.' })
  })
})
