import { describe, expect, it } from 'vitest'
import type { Classification } from '../../../src/core/domain/attempt.ts'
import { changeState, type StatePatch } from '../../../src/core/domain/change-state.ts'
import type { Settings } from '../../../src/core/domain/settings.ts'
import type { Leases } from '../../../src/core/ports/leases.ts'
import { soleLeases } from '../../../src/core/ports/leases.ts'
import { joinTasks } from '../../../src/recovery/task/join-tasks.ts'
import { keptMembers } from '../../../src/tasks/groups/find-members.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { anAttempt, anOperation, fakePorts, usageOf } from '../../fakes/facts.ts'
import { taskUnderWay } from '../../graph/nodes/bench.ts'

const roadmap = `
- [ ] **T-1**: Create \`src/a.js\`
- [ ] **T-2**: Create \`src/b.js\`
- [ ] **T-3**: Create \`src/c.js\`
`

const waitsFor = (...suppliedBy: readonly string[]): Classification => ({
  ...({
    reason: 'missing_dependency',
    explanation: '',
    by: 'pattern',
    installCommand: null,
  } as const),
  suppliedBy,
})

interface Case {
  readonly files?: Readonly<Record<string, string>>
  readonly state?: StatePatch
  readonly settings?: Partial<Settings>
  readonly leases?: Partial<Leases>
  readonly suppliedBy?: readonly string[]
  /** Ids whose deferred attempts wait for these. */
  readonly parked?: Readonly<Record<string, readonly string[]>>
}

/** Joins T-1, whose change imports a file of T-2; T-2 was deferred for T-1. */
async function join({ parked = { 'T-2': ['T-1'] }, suppliedBy = ['T-2'], ...given }: Case) {
  const { workspace, state, tasks } = await taskUnderWay({
    files: { 'ROADMAP.md': roadmap, ...given.files },
    attempt: { usage: usageOf(100), seconds: 1, number: 1 },
  })
  const deferred = Object.entries(parked).flatMap(([id, others]) => {
    const task = tasks.find((each) => each.id === id)
    if (task === undefined) return []
    const classification = waitsFor(...others)
    return [
      [id, anAttempt({ task, classification, usage: usageOf(50), seconds: 2, number: 2 })],
    ] as const
  })
  const results = Object.fromEntries(
    deferred.map(([id]) => [id, sampleResult(id, { verdict: 'deferred', thisRun: true })]),
  )
  const facts = { tasks: { parked: Object.fromEntries(deferred), results } }
  const now = changeState(state, facts, given.state)
  const ports = fakePorts({ workspace, leases: { ...soleLeases, ...given.leases } })
  const settings = { ...ports.settings, ...given.settings }
  const { attempt } = now
  if (attempt === null) throw new Error('no attempt')
  const patch = await joinTasks(now, attempt, waitsFor(...suppliedBy), { ...ports, settings })
  return { patch, now, tasks }
}

const membersOf = (patch: StatePatch | null) =>
  Object.entries(patch?.tasks?.joined ?? {}).map(([first, { members }]) => [first, ...members])

describe('tasks that need each other', () => {
  it('are one group, which starts afresh with what they cost', async () => {
    const { patch, now, tasks } = await join({})
    expect(membersOf(patch)).toEqual([['T-1', 'T-1', 'T-2']])
    expect(patch?.tasks?.joined?.['T-1']).toMatchObject({ seconds: 3, attempts: 2 })
    expect(patch?.tasks?.joined?.['T-1']?.usage.promptTokens).toBe(usageOf(150).promptTokens)
    expect([patch?.tasks?.results, patch?.tasks?.parked]).toEqual([{}, {}])
    const after = changeState(now, patch ?? {})
    const ids = (of: typeof tasks) => of.map(({ id }) => id)
    const [first, second] = tasks
    if (first === undefined || second === undefined) throw new Error('no tasks')
    expect(ids(keptMembers(first, tasks, after))).toEqual(['T-1', 'T-2'])
    expect(ids(keptMembers(second, tasks, after))).toEqual(['T-2'])
    const apart = { ...sampleCost, usage: usageOf(1) }
    const dissolved = changeState(after, { tasks: { alone: { 'T-1': apart, 'T-2': apart } } })
    expect(ids(keptMembers(first, tasks, dissolved))).toEqual(['T-1'])
  })

  it.each<[string, Case, readonly string[]]>([
    [
      'in a circle of three',
      { parked: { 'T-2': ['T-3'], 'T-3': ['T-1'] } },
      ['T-1', 'T-1', 'T-2', 'T-3'],
    ],
    [
      'the first of which waits by its words',
      {
        parked: {},
        files: {
          'ROADMAP.md': roadmap.replace('`src/b.js`', '`src/b.js`\n  - **Depends on**: T-1'),
        },
      },
      ['T-1', 'T-1', 'T-2'],
    ],
  ])('are one group, too: %s', async (_, given, members) => {
    expect(membersOf((await join(given)).patch)).toEqual([members])
  })

  const before = { members: ['T-2', 'T-9'], usage: usageOf(1), seconds: 1, attempts: 1 }
  it.each<[string, Case]>([
    ['which does not wait for the other one', { parked: { 'T-2': ['T-3'] } }],
    ['one of three does not', { suppliedBy: ['T-2', 'T-3'] }],
    ['nothing is missing', { suppliedBy: [] }],
    ['an agent writes the changes', { settings: { strategy: 'agent' } }],
    [
      'the run has room for one',
      { settings: { limits: { ...fakePorts({}).settings.limits, tasks: 1 } } },
    ],
    ['the run is for one', { state: { run: { only: ['T-1'] } } }],
    [
      'another run has the other',
      { leases: { take: async () => ({ status: 'held', by: 'another run has it' }) } },
    ],
    [
      'a person was asked about one',
      {
        state: {
          tasks: {
            questions: { 'T-2': [{ number: 1, url: 'https://x.example/1', head: 'agent/T-2' }] },
          },
        },
      },
    ],
    ['one has a branch', { state: { tasks: { heads: { 'agent/T-2': 'a'.repeat(40) } } } }],
    [
      'one belongs to a person',
      { files: { 'ROADMAP.md': roadmap.replace('`src/b.js`', '`src/b.js`\n  - **Owner**: Ada') } },
    ],
    [
      'one has another model',
      { files: { 'ROADMAP.md': roadmap.replace('`src/b.js`', '`src/b.js`\n  - **Model**: big') } },
    ],
    [
      'one is all or nothing with a third',
      { files: { 'ROADMAP.md': roadmap.replace('`src/b.js`', '`src/b.js`\n  - **Together**: x') } },
    ],
    ['one was in a group of this run', { state: { tasks: { joined: { 'T-9': before } } } }],
    [
      'one left a group of this run',
      { state: { tasks: { alone: { 'T-2': { usage: usageOf(1), seconds: 1, attempts: 1 } } } } },
    ],
    [
      'one is under way in a lane',
      {
        parked: {},
        files: {
          'ROADMAP.md': roadmap.replace('`src/b.js`', '`src/b.js`\n  - **Depends on**: T-1'),
        },
        state: {
          lanes: [
            {
              attempt: anAttempt({ task: { ...anAttempt().task, id: 'T-2' } }),
              next: 'write_files' as const,
              lane: 1,
              resumeAt: null,
              calls: 0,
            },
          ],
        },
      },
    ],
    [
      'one waits for a task that is not done',
      {
        files: {
          'ROADMAP.md': roadmap.replace('`src/b.js`', '`src/b.js`\n  - **Depends on**: T-3'),
        },
      },
    ],
  ])('stay apart where %s', async (_, given) => {
    expect((await join(given)).patch).toBeNull()
  })
})

const sampleCost = { seconds: 1, attempts: 1 }

it('a change that waits for a person stays with its task', async () => {
  const { now, tasks } = await join({})
  const [, second] = tasks
  if (second === undefined) throw new Error('no task')
  const parked = {
    'T-2': anAttempt({
      ...{ task: second, classification: waitsFor('T-1') },
      destructive: [anOperation()],
    }),
  }
  expect((await join({ state: { tasks: { parked } } })).patch).toBeNull()
  expect(now.tasks.parked['T-2']?.destructive).toEqual([])
})
