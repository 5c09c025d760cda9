import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerNow } from '../../src/core/domain/answer.ts'
import type { RunState } from '../../src/core/domain/run-state.ts'
import type { Settings } from '../../src/core/domain/settings.ts'
import { soleLeases } from '../../src/core/ports/leases.ts'
import { noRelay } from '../../src/core/ports/relay.ts'
import { noRoutes } from '../../src/core/ports/routes.ts'
import type { Ports } from '../../src/core/ports.ts'
import { edges } from '../../src/graph/edges.ts'
import { nodes } from '../../src/graph/nodes.ts'
import { type Observer, runGraph } from '../../src/graph/run-graph.ts'
import { newRun } from '../../src/runs/new-run.ts'
import { runRoadmap } from '../../src/runs/run-roadmap.ts'
import { someSettings } from '../fakes/facts.ts'
import { createFakeClock } from '../fakes/fake-clock.ts'
import { createKnownFixes } from '../fakes/known-fixes.ts'
import { createMemoryForge } from '../fakes/memory-forge.ts'
import { createMemoryRepository } from '../fakes/memory-repository.ts'
import { createMemoryStore } from '../fakes/memory-store.ts'
import { createMemoryWorkspace } from '../fakes/memory-workspace.ts'
import { createScriptedSandbox, tapReport } from '../fakes/scripted-sandbox.ts'

/** A number from 0 to 99; each question to chance takes the next one. */
type Dice = () => number

interface World {
  readonly roadmap: string
  readonly tasks: number
  readonly settings: Settings
  readonly isLocal: boolean
  readonly isPersonThere: boolean
  readonly dice: Dice
}

const oneOf = <T>(dice: Dice, choices: readonly [T, ...T[]]): T =>
  choices[dice() % choices.length] ?? choices[0]

const aWorld: fc.Arbitrary<World> = fc
  .record({
    /** For each task the earlier ones it depends on, as a set of bits. */
    dependencies: fc.array(fc.nat(15), { minLength: 1, maxLength: 4 }),
    approvalMode: fc.constantFrom('interactive', 'auto', 'review_only', 'approve_decompose'),
    stack: fc.constantFrom('chain', 'auto', 'none'),
    strategy: fc.constantFrom('single', 'two_phase', 'tools', 'auto'),
    critic: fc.boolean(),
    reflectAfter: fc.constantFrom(0, 1, 2),
    toolCalls: fc.constantFrom(2, 12),
    recovery: fc.constantFrom(true, true, true, false),
    isPersonThere: fc.boolean(),
    isLocal: fc.boolean(),
    requireTests: fc.boolean(),
    pauseDestructive: fc.constantFrom(true, true, false),
    iterations: fc.constantFrom(3, 8, 100),
    openPullRequests: fc.constantFrom(1, 5),
    tokens: fc.constantFrom(null, null, 3_000),
    tokensPerTask: fc.constantFrom(null, null, 1_500),
    dice: fc.infiniteStream(fc.nat(99)),
  })
  .map((drawn) => {
    const { iterations, openPullRequests, tokens, tokensPerTask, toolCalls } = drawn
    const settings = someSettings({
      ...{ iterations, openPullRequests, tokens, tokensPerTask, toolCalls },
    })
    const { approvalMode, stack, strategy, recovery, isLocal, requireTests } = drawn
    const { pauseDestructive, reflectAfter, critic } = drawn
    const verify = { ...settings.verify, requireTests }
    return {
      roadmap: drawn.dependencies.map(taskText).join(''),
      tasks: drawn.dependencies.length,
      settings: {
        ...{ ...settings, approvalMode, pauseDestructive, stack, strategy, recovery, verify },
        ...{ reflectAfter, critic },
      },
      isLocal,
      isPersonThere: drawn.isPersonThere,
      dice: () => drawn.dice.next().value ?? 0,
    }
  })

function taskText(dependencies: number, index: number): string {
  const names = [1, 2, 3, 4].filter((n) => n <= index && (dependencies >> (n - 1)) % 2 === 1)
  const depends = names.map((n) => `T-${n}`).join(', ')
  const line = depends === '' ? '' : `  - **Depends on**: ${depends}\n`
  const n = index + 1
  return `- [ ] **T-${n}**: Create \`src/t${n}.js\`\n  - **Files**: \`src/t${n}.js\`\n${line}`
}

const file = (path: string, text: string) => `${path}\n\`\`\`\n${text}\n\`\`\`\n`

const destructive = "import { rmSync } from 'node:fs'\nrmSync"

/** What models really say, well and badly. */
function answer(dice: Dice, task: string): string {
  const own = `src/t${task.slice(2)}.js`
  return oneOf(dice, [
    file(own, `export const value = ${dice()}`),
    file(own, `export const value = ${dice()}`),
    file(own, `export const value = ${dice()}`),
    file(own, `export const value = ${dice()}`),
    file(own, 'export const value = {'),
    file(own, `${destructive}(process.argv[2])`),
    file(own, `${destructive}('${dice()}')`),
    file(own, "export { value } from './nowhere.js'"),
    file(own, `export * from './t${1 + (dice() % 4)}.js'`),
    file(own, 'x') + file('.github/workflows/ci.yml', 'on: push'),
    file('.github/workflows/ci.yml', 'on: push'),
    file('src/other.js', 'export {}'),
    file('../outside.js', 'export {}'),
    file('test/a.test.js', ''),
    file('src/index.js', '<<<<<<< SEARCH\nno such line\n=======\nx\n>>>>>>> REPLACE'),
    'DELETE: test/a.test.js',
    'NOTHING_TO_DO',
    'Could you clarify which file you mean?',
    '{"reason": "task_too_vague", "explanation": "It says nothing."}',
    '{"files": ["src/a.js"], "complexity": "high", "steps": ["one"]}',
    '',
    tool('read_file', { path: 'src/index.js' }),
    tool('run_tests', {}),
    tool('run_tests', {}),
    tool('done', { summary: 'It is written.' }),
    tool('grep', { expression: '(a+)+$' }) + tool('search', { words: 'answer' }),
    parts(task, ['one']),
    parts(task, ['one', 'two']),
  ])
}

/** Plans, from plain to hostile. */
function planFor(dice: Dice, task: string): string {
  const own = `src/t${task.slice(2)}.js`
  const step = (id: string, path: string, needs: readonly string[] = []) => ({
    ...{ id, does: `write ${path}`, files: [path], needs },
  })
  const test = own.replace('src/', 'test/').replace('.js', '.test.js')
  const parts = [step('b', test, ['a']), step('a', own)]
  return JSON.stringify(
    oneOf<unknown>(dice, [
      { files: [own], complexity: 'low', steps: ['write it'] },
      { files: [own], complexity: 'high', steps: ['write it', 'test it'] },
      { complexity: 'high', steps: parts },
      { complexity: 'high', steps: parts },
      { complexity: 'high', steps: [...parts, step('c', 'src/other.js', ['b'])] },
      { complexity: 'high', steps: [step('a', own, ['b']), step('b', test, ['a'])] },
      {
        complexity: 'high',
        steps: [step('__proto__', '../x.js'), step('a', own, ['constructor'])],
      },
      { plans: [{ steps: parts }, { files: [own], steps: ['one', 'two'] }, null, { files: 7 }] },
      {
        plans: [
          { files: [own], steps: ['one', 'two'] },
          { files: [test], steps: ['a', 'b'] },
        ],
      },
      {
        files: Array.from({ length: 10_000 }, (_, n) => `t${n}.js`),
        complexity: 'high',
        steps: [],
      },
    ]),
  )
}

const tool = (name: string, given: object): string =>
  `I look.\n\`\`\`json\n${JSON.stringify({ tool: name, arguments: given })}\n\`\`\`\n`

/** New tasks in place of one. */
const parts = (task: string, names: readonly string[]): string =>
  JSON.stringify(
    names.map((name) => ({ title: `Add ${name} of ${task}`, files: [`src/t${task.slice(2)}.js`] })),
  )

/** What a run may meet, by chance; and what of it must never happen, whatever chance does. */
function createWorld({ roadmap, settings, isLocal, isPersonThere, dice }: World) {
  const workspace = createMemoryWorkspace({
    files: {
      'ROADMAP.md': roadmap,
      'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
      'src/index.js': 'export const answer = 42\n',
      'test/a.test.js': "import 'node:test'\n",
    },
    refuse: () => {
      const code = oneOf(dice, ['branch_protected', 'forge_denied', 'forge_unreachable'] as const)
      return dice() < 10 ? { status: 'refused', code, detail: 'by chance' } : null
    },
  })
  const forge = createMemoryForge(
    createMemoryRepository({
      tipOf: (branch) => workspace.head(branch),
      mergeCommit: ({ headSha }) => {
        const { 'ROADMAP.md': text = '' } = workspace.filesAt(headSha)
        return workspace.push('main', { 'ROADMAP.md': text })
      },
    }),
  )
  const refuseAtRandom = () =>
    forge.refuse(dice() < 10 ? { code: 'forge_denied', detail: 'by chance' } : null)
  const answered = new Map<string, number>()
  const published: string[] = []
  const shas: string[] = []
  const now: { state: RunState | null } = { state: null }
  const failure = { name: 'fails', file: 'test/a.test.js', line: 1, error: 'no' }
  const ports: Ports = {
    settings,
    leases: soleLeases,
    relay: noRelay('no agent here'),
    routes: noRoutes,
    clock: createFakeClock(),
    random: { hex: (length) => '0'.repeat(length), fraction: () => dice() / 100 },
    store: createMemoryStore(),
    memory: createKnownFixes(),
    syntax: { check: async () => ({ status: 'unavailable', reason: 'none' }) },
    workspace: {
      ...workspace,
      async publish(branch, sha, expected) {
        published.push(branch)
        shas.push(sha)
        if (dice() < 5) workspace.push(branch, { 'theirs.js': String(dice()) })
        return workspace.publish(branch, sha, expected)
      },
    },
    forge: {
      ...forge,
      async merge(...wanted) {
        refuseAtRandom()
        if (dice() < 10) return { status: 'blocked', reason: 'a review is missing' }
        return forge.merge(...wanted)
      },
      kind: isLocal ? 'local' : 'github',
      pullRequests: async () => (isLocal ? [] : forge.pullRequests()),
      async upsertPullRequest(draft) {
        refuseAtRandom()
        return isLocal ? { status: 'ok', value: null } : forge.upsertPullRequest(draft)
      },
      async upsertComment(...comment) {
        refuseAtRandom()
        return forge.upsertComment(...comment)
      },
    },
    model: {
      async complete({ purpose }) {
        const { task, number } = now.state?.attempt ?? { task: { id: 'T-0' }, number: 0 }
        const usage = { requests: 1, promptTokens: 400, completionTokens: 100, dollars: 0.01 }
        if (dice() < 4) return { status: 'unavailable', reason: 'busy', retryAt: null, usage }
        if (dice() < 12) {
          const window = dice() < 50 ? null : 600 + 40 * dice()
          return { status: 'too_large', reason: 'no room', window, promptTokens: null, usage }
        }
        const key = `${task.id} ${number}`
        answered.set(key, (answered.get(key) ?? 0) + 1)
        const isPlan = purpose === 'plan' && dice() < 70
        const text = isPlan ? planFor(dice, task.id) : answer(dice, task.id)
        return { status: 'answered', text, finish: 'stop', usage }
      },
    },
    sandbox: createScriptedSandbox(() =>
      oneOf(dice, [
        { collected: new Map([['.executor-results-1.report', tapReport(1)]]) },
        { collected: new Map([['.executor-results-1.report', tapReport(1)]]) },
        {
          exitCode: 1,
          collected: new Map([['.executor-results-1.report', tapReport(1, [failure])]]),
        },
        { exitCode: 127, stderr: 'sh: 1: node: not found' },
        { exitCode: null, signal: 'SIGKILL', timedOut: true },
        { exitCode: 1, stderr: "Cannot find module './t4.js'" },
        { exitCode: 1, stderr: "Cannot find package 'left-pad'" },
        { exitCode: 1, stderr: 'Segmentation fault' },
      ]),
    ),
    person: {
      present: isPersonThere,
      async ask({ choices }) {
        const [first = 'approve', ...others] = choices
        return dice() < 30 ? null : answerNow(oneOf(dice, [first, ...others]), 'chance')
      },
    },
  }
  return { ports, workspace, forge, published, shas, answered, now }
}

const ourBranch = /^(?:agent|executor\/recovery)\/T-\d(?:-[a-e]){0,3}$/

/** Counts steps and picks, and stops a walk that would never end. */
function createObserver(world: ReturnType<typeof createWorld>, mostSteps: number) {
  const picks: string[] = []
  let steps = 0
  const observer: Observer = {
    started(_, state) {
      world.now.state = state
      steps += 1
      if (steps > mostSteps) throw new Error(`still walking after ${mostSteps} steps`)
    },
    finished(node, outcome, state) {
      const id = state.attempt?.task.id
      if (node !== 'pick_task' || !outcome.startsWith('picked') || id === undefined) return
      expect(state.tasks.results[id]).toBeUndefined()
      const { retried, joined = {} } = state.tasks
      const again = [...retried, ...Object.values(joined).flatMap(({ members }) => members)]
      if (picks.includes(id)) expect(again).toContain(id)
      picks.push(id)
    },
  }
  return { observer, picks }
}

async function expectSoundEnd(
  end: RunState,
  picks: readonly string[],
  world: ReturnType<typeof createWorld>,
  { settings }: World,
) {
  // Nothing was asked for the task whose turn it was when the tests turned out not to start.
  const isCharged = (id: string) =>
    id !== picks.at(-1) || end.record.errors.every(({ code }) => code !== 'not_prepared')
  const waitsForModel = end.progress.stopped === 'unavailable' ? end.attempt?.task.id : undefined
  const joined = Object.values(end.tasks.joined ?? {}).flatMap(({ members }) => members)
  for (const id of picks) {
    // Once more in a group of tasks that need each other, and once alone when that fails.
    const most = joined.includes(id) ? 4 : 2
    expect(picks.filter((each) => each === id).length).toBeLessThanOrEqual(most)
    if (id !== waitsForModel && end.progress.resumeAt === null && isCharged(id))
      expect(end.tasks.results).toHaveProperty(id)
  }
  for (const { verdict, sha, branch } of Object.values(end.tasks.results)) {
    if (verdict === 'done' || verdict === 'in_review') expect(sha && branch).toBeTruthy()
  }
  for (const branch of world.published) expect(branch).toMatch(ourBranch)
  await expectApproved(end, world, settings)
  const { validationRepairs, testRepairs, toolCalls, reflections } = settings.limits
  const isOneOf = (way: string) => [way, 'auto'].includes(settings.strategy)
  const inLoop = isOneOf('tools') ? toolCalls : 0
  // A plan that is sent back, and each of its parts, twice at most; with a critic, other plans and the choice.
  const inParts = isOneOf('two_phase') ? 1 + 2 * 3 + (settings.critic ? 2 : 0) : 0
  const onFailures = settings.reflectAfter > 0 ? reflections : 0
  for (const answers of world.answered.values()) {
    // A request that was too large is asked again, smaller, and has no answer.
    // A plan, a draft, the repairs, the question why it failed, and two for new tasks.
    const most = 5 + validationRepairs + testRepairs + inLoop + inParts + onFailures
    expect(answers).toBeLessThanOrEqual(most)
  }
  const spent = Object.values(end.spent.nodes).reduce(
    (sum, node) => sum + node.usage.promptTokens,
    0,
  )
  expect(spent).toBe(end.spent.usage.promptTokens)
  // Each answer has a number of its own, or a resumed run would not find it.
  const events = await world.ports.store.journal(end.run.id)
  const calls = events.flatMap((event) => (event.kind === 'answered' ? [event.call] : []))
  expect(calls).toEqual(calls.map((_, index) => index))
  expect(end.spent.calls).toBe(calls.length)
  expect((await world.workspace.refresh()).base.sha).toBe(end.roadmap.base.sha)
}

/** No destructive operation leaves the machine that nobody said yes to. */
async function expectApproved(
  end: RunState,
  { shas, published, workspace }: ReturnType<typeof createWorld>,
  { pauseDestructive }: Settings,
) {
  const approvals = end.record.destructive.filter(({ decision }) => decision === 'approved')
  for (const [index, sha] of shas.entries()) {
    const id = published[index]?.replace(/^.*\//, '') ?? ''
    const path = `src/t${id.slice(2)}.js`
    const text = (await workspace.readFiles(sha, [path])).get(path) ?? ''
    const [call] = text.match(/rmSync\(.*/) ?? []
    if (call === undefined) continue
    const approved = approvals.filter(({ taskId, operations }) =>
      operations.some(({ operation }) => taskId === id && operation === call),
    )
    expect(approved.map(({ by }) => by)).toContain(
      pauseDestructive ? 'chance' : 'pause-destructive: false',
    )
  }
}

/** A task may become two, twice, and each may be tried four times. */
const mostSteps = ({ tasks, settings }: World) =>
  10 + tasks * 7 * 4 * (settings.limits.iterations + 3)

describe('random outcomes', () => {
  it('always end, with a verdict for every task that was picked', async () => {
    await fc.assert(
      fc.asyncProperty(aWorld, async (drawn) => {
        const world = createWorld(drawn)
        const { observer, picks } = createObserver(world, mostSteps(drawn))
        const { ports } = world
        const view = await ports.workspace.refresh()
        const start = newRun(ports, { only: null, dryRun: false }, view)
        const { signal } = new AbortController()
        const end = await runGraph(start, nodes, edges, ports, { signal, observer })
        expect(end.progress.next).toBe('END')
        await expectSoundEnd(end, picks, world, drawn)
      }),
      { numRuns: 150 },
    )
  })

  it('end as well when the run is killed again and again, and started again', async () => {
    await fc.assert(
      fc.asyncProperty(aWorld, async (drawn) => {
        const world = createWorld(drawn)
        const killed = new Error('killed')
        const { ports } = world
        const mortal: Ports = {
          ...ports,
          sandbox: {
            ...ports.sandbox,
            run: (request) =>
              drawn.dice() < 15 ? Promise.reject(killed) : ports.sandbox.run(request),
          },
          model: {
            complete: (request) =>
              drawn.dice() < 10 ? Promise.reject(killed) : ports.model.complete(request),
          },
        }
        const { observer } = createObserver(world, 40 * mostSteps(drawn))
        // A task can be picked anew after a kill, so picks are not counted here.
        const watcher: Observer = { ...(observer.started && { started: observer.started }) }
        let end: RunState | null = null
        for (let starts = 0; end === null || end.progress.resumeAt !== null; starts += 1) {
          expect(starts).toBeLessThan(60)
          end = await start(mortal, watcher, killed)
        }
        expect(end.progress.next).toBe('END')
        expect(end.attempt === null || end.tasks.results[end.attempt.task.id] !== undefined).toBe(
          true,
        )
        for (const branch of world.published) expect(branch).toMatch(ourBranch)
        expect((await world.workspace.refresh()).base.sha).toBe(end.roadmap.base.sha)
      }),
      { numRuns: 60 },
    )
  })
})

/** One start of the program; `null` when it was killed. */
async function start(ports: Ports, observer: Observer, killed: Error): Promise<RunState | null> {
  const { signal } = new AbortController()
  const request = { only: null, fresh: false, dryRun: false, signal, observer }
  return runRoadmap(ports, request).catch((error: unknown) => {
    if (error === killed) return null
    throw error
  })
}
