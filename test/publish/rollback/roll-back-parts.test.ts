import { describe, expect, it } from 'vitest'
import { isRolledBack, label, rolledBackFor } from '../../../src/core/domain/identity.ts'
import type { Ports } from '../../../src/core/ports.ts'
import { runRoadmap } from '../../../src/runs/run-roadmap.ts'
import { fakePorts, someSettings } from '../../fakes/facts.ts'
import { createMemoryForge } from '../../fakes/memory-forge.ts'
import { createMemoryRepository } from '../../fakes/memory-repository.ts'
import { createMemoryStore } from '../../fakes/memory-store.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'
import { createScriptedSandbox } from '../../fakes/scripted-sandbox.ts'
import { createSilentPerson } from '../../fakes/silent-person.ts'

const ids = ['T-1', 'T-2', 'T-3', 'T-4', 'T-5']
const item = (id: string, before: string | undefined, field = '**Together**: shop') =>
  [
    `- [ ] ${id}: Create \`src/${id}.js\``,
    `  - ${field}`,
    ...(before === undefined ? [] : [`  - **Depends on**: ${before}`]),
  ].join('\n')
const roadmap = `# Plan\n\n${ids.map((id, at) => item(id, ids[at - 1])).join('\n')}\n- [ ] T-9: Create \`src/T-9.js\`\n`
const base = { 'ROADMAP.md': roadmap, 'package.json': '{ "type": "module" }\n' }

/** A repository on GitHub where the third of five tasks that belong together cannot be done. */
function createWorld(files: Readonly<Record<string, string>> = base) {
  const workspace = createMemoryWorkspace({ files })
  const repository = createMemoryRepository({
    tipOf: (branch) => workspace.head(branch),
    mergeCommit: ({ headSha }) => workspace.push('main', workspace.filesAt(headSha), 'Merge (#1)'),
  })
  const forge = createMemoryForge(repository)
  const store = createMemoryStore()
  const settings = someSettings({ openPullRequests: 20 })
  const asked: string[] = []
  let isHard = true
  let runs = 0
  const complete: Ports['model']['complete'] = async ({ messages, purpose }) => {
    const task = /TASK (T-\d)/.exec(messages.at(-1)?.content ?? '')?.[1] ?? ''
    asked.push(`${purpose} ${task}`)
    const usage = { requests: 1, promptTokens: 10, completionTokens: 10, dollars: 0 }
    const text =
      task === 'T-3' && isHard
        ? 'I cannot.'
        : `src/${task}.js\n\`\`\`js\nexport const a = 1\n\`\`\`\n`
    return { status: 'answered', text, finish: 'stop', usage }
  }
  const ports = fakePorts({
    workspace,
    forge,
    store,
    settings: {
      ...settings,
      strategy: 'single',
      stack: 'auto',
      approvalMode: 'auto',
      commit: { ...settings.commit, email: 'bot@example.org' },
    },
    person: createSilentPerson(),
    sandbox: createScriptedSandbox(),
    syntax: { check: async () => ({ status: 'unavailable', reason: '' }) },
    random: { hex: (length) => String(runs++).padStart(length, 'a'), fraction: () => 0 },
    model: { complete },
  })
  const run = (more: { only?: readonly string[]; fresh?: boolean } = {}, to: Partial<Ports> = {}) =>
    runRoadmap(
      { ...ports, ...to },
      {
        ...{ only: null, fresh: true, dryRun: false, signal: new AbortController().signal },
        ...more,
      },
    )
  const soften = () => {
    isHard = false
  }
  return { workspace, forge, repository, store, ports, run, asked, soften }
}

type World = ReturnType<typeof createWorld>

const verdicts = ({ tasks }: Awaited<ReturnType<World['run']>>) =>
  Object.fromEntries(Object.values(tasks.results).map(({ id, verdict }) => [id, verdict]))

/** What people find afterwards, without times and shas. */
async function endOf({ workspace, forge }: World) {
  const { branches } = await workspace.refresh()
  return {
    branches: Object.fromEntries(
      branches.map((tip) => [
        tip.name,
        isRolledBack(tip)
          ? `back for ${rolledBackFor(tip)?.id}`
          : Object.keys(workspace.filesAt(tip.sha)),
      ]),
    ),
    pulls: forge.pulls.map(({ head, state, labels, title }) => [
      ...[head, state, labels.includes(label.rolledBack)],
      title.startsWith('Revert'),
    ]),
    comments: forge.comments.filter(({ body }) => body.includes('Rolled back')).length,
  }
}

const rolledBack = {
  'T-1': 'rolled_back',
  'T-2': 'rolled_back',
  'T-3': 'failed',
  'T-4': 'waiting',
  'T-5': 'waiting',
  'T-9': 'unverified',
}

describe('tasks that belong together', () => {
  it('are rolled back when one fails for good; later runs repeat nothing, and naming one tries all again', async () => {
    const world = createWorld()
    const { forge, run, asked, soften, store } = world
    const first = await run()
    expect(verdicts(first)).toEqual(rolledBack)
    expect(first.tasks.results['T-1']?.reason).toBe('T-3 failed, and they belong together')
    const end = await endOf(world)
    expect(end.branches).toMatchObject({
      'agent/T-1': 'back for T-3',
      'agent/T-2': 'back for T-3',
      'agent/T-9': expect.arrayContaining(['src/T-9.js']),
    })
    expect(end.pulls).toEqual([
      ['agent/T-1', 'closed', true, false],
      ['agent/T-2', 'closed', true, false],
      ['agent/T-3', 'open', false, false],
      ['agent/T-9', 'open', false, false],
    ])
    expect(end.comments).toBe(2)
    const undone = (await store.journal(first.run.id)).filter(({ kind }) => kind === 'undone')
    expect(undone).toMatchObject([
      { operation: 'close', task: 'T-2', outcome: 'done' },
      { operation: 'revert', task: 'T-2', outcome: 'done' },
      { operation: 'close', task: 'T-1', outcome: 'done' },
      { operation: 'revert', task: 'T-1', outcome: 'done' },
    ])

    const [calls, writes] = [asked.length, forge.writes]
    const second = await run()
    expect(verdicts(second)).toEqual({ ...rolledBack, 'T-3': 'waiting', 'T-9': 'in_review' })
    expect([asked.length, forge.writes]).toEqual([calls, writes])
    expect(await endOf(world)).toEqual(end)

    soften()
    const third = await run({ only: ['T-2'] })

    expect(verdicts(third)).toMatchObject(Object.fromEntries(ids.map((id) => [id, 'unverified'])))
    expect(asked.slice(calls)).toEqual(ids.map((id) => `draft ${id}`))
  })

  it.each(Array.from({ length: 9 }, (_, at) => at))(
    'come to the same end when the run is killed at write %i of the rollback',
    async (at) => {
      const straight = createWorld()
      await straight.run()
      const world = createWorld()
      const { forge, workspace, run } = world
      let left = at
      const killed =
        <Args extends readonly unknown[], T>(write: (...args: Args) => Promise<T>) =>
        async (...args: Args): Promise<T> => {
          const isBack = world.asked.some((each) => each.endsWith('T-3')) && isTaking(args)
          if (isBack && left-- <= 0) throw new Error('killed')
          return write(...args)
        }
      await run(
        {},
        {
          forge: {
            ...forge,
            close: killed(forge.close),
            label: killed(forge.label),
            upsertComment: killed(forge.upsertComment),
          },
          workspace: { ...workspace, publish: killed(workspace.publish) },
        },
      ).catch((error: Error) => expect(error.message).toBe('killed'))
      const state = await run({ fresh: false })
      expect(verdicts(state)).toEqual(rolledBack)
      expect(await endOf(world)).toEqual(await endOf(straight))
    },
  )

  it('are left alone while another run works on them, and taken back after it', async () => {
    const world = createWorld()
    await world.run({ only: ['T-1', 'T-2'] })
    const released: string[] = []
    const leases: Ports['leases'] = {
      ...world.ports.leases,
      take: async (name) =>
        name === 'T-2' ? { status: 'held', by: 'run-7 has it' } : { status: 'taken' },
      release: async (name) => void released.push(name),
    }
    const during = await world.run({}, { leases })
    expect(verdicts(during)).toMatchObject({ 'T-1': 'rolled_back', 'T-2': 'waiting' })
    expect(during.tasks.results['T-2']?.reason).toContain('but run-7 has it')
    const tips = (await endOf(world)).branches
    expect(tips).toMatchObject({ 'agent/T-1': 'back for T-3', 'agent/T-2': expect.any(Array) })
    expect(world.forge.pulls.find(({ head }) => head === 'agent/T-2')?.state).toBe('open')
    expect(released).toEqual(['T-1'])
    // Nor does a run that starts meanwhile take them back.
    expect(verdicts(await world.run({}, { leases }))).toMatchObject({ 'T-2': 'waiting' })
    expect(verdicts(await world.run())).toMatchObject({ 'T-2': 'rolled_back' })
  })

  it('that are merged stay, and reverting them is proposed, once', async () => {
    const world = createWorld()
    const { forge, repository, run, workspace } = world
    await run({ only: ['T-1', 'T-2'] })
    const [pull] = forge.pulls
    await forge.merge(pull?.number ?? 0, pull?.headSha ?? '')
    const after = await run()
    expect(verdicts(after)).toMatchObject({
      'T-1': 'waiting',
      'T-2': 'rolled_back',
      'T-3': 'failed',
    })
    expect(after.tasks.results['T-1']?.reason).toMatch(/^#\d+ would revert its work: T-3 failed/)
    expect(workspace.filesAt(workspace.head('main') ?? '')).toHaveProperty(['src/T-1.js'])
    const revert = forge.pulls.find(({ title }) => title.startsWith('Revert'))
    expect(revert).toMatchObject({ head: 'agent/T-1', state: 'open', labels: [label.rolledBack] })
    expect(revert?.body).toContain('T-3 failed, and T-1 belongs together with it.')
    // A person keeps the work.
    await forge.close(revert?.number ?? 0)
    const writes = forge.writes
    await run()
    expect(forge.writes).toBe(writes)
    expect(repository.pulls.filter(({ title }) => title.startsWith('Revert'))).toHaveLength(1)
  })

  it.each([
    ['Together: shop', 'rolled_back'],
    ['**Together**: `shop`', 'rolled_back'],
    ['**Together**: one shop for all of it', 'unverified'],
    ['**Together**: ../../shop', 'unverified'],
    ['Put them together: shop', 'unverified'],
  ])('are those whose line %s names one group', async (field, verdict) => {
    const text = ids.map((id, at) => item(id, ids[at - 1], field)).join('\n')
    const world = createWorld({ ...base, 'ROADMAP.md': `# Plan\n\n${text}\n` })
    expect(verdicts(await world.run())).toMatchObject({ 'T-1': verdict, 'T-3': 'failed' })
  })
})

/** Writes of the rollback, not of the tasks that go on after it. */
const isTaking = (args: readonly unknown[]): boolean => !String(args[0]).includes('T-9')
