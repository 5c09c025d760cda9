import { describe, expect, it } from 'vitest'
import { createLocalForge } from '../../src/adapters/local-forge.ts'
import { answerNow } from '../../src/core/domain/answer.ts'
import { changeState } from '../../src/core/domain/change-state.ts'
import { ExecutorError } from '../../src/core/domain/errors.ts'
import type { RunState } from '../../src/core/domain/run-state.ts'
import type { Settings } from '../../src/core/domain/settings.ts'
import { noUsage } from '../../src/core/domain/usage.ts'
import type { Forge } from '../../src/core/ports/forge.ts'
import type { Model } from '../../src/core/ports/model.ts'
import type { LoadResult } from '../../src/core/ports/store.ts'
import type { Ports } from '../../src/core/ports.ts'
import type { Observer } from '../../src/graph/run-graph.ts'
import { newRun } from '../../src/runs/new-run.ts'
import { exitCodeOf } from '../../src/runs/run-results.ts'
import { type RunRequest, runRoadmap } from '../../src/runs/run-roadmap.ts'
import { fakePorts, someSettings } from '../fakes/facts.ts'
import { createMemoryForge } from '../fakes/memory-forge.ts'
import { createMemoryStore } from '../fakes/memory-store.ts'
import { createMemoryWorkspace } from '../fakes/memory-workspace.ts'
import { createScriptedSandbox } from '../fakes/scripted-sandbox.ts'
import { createSilentPerson } from '../fakes/silent-person.ts'

const roadmap = '- [ ] **T-1**: Create `src/one.js`\n- [ ] **T-2**: Create `src/two.js`\n'

type Asked = (task: string, call: number) => Awaited<ReturnType<Model['complete']>> | Error

const answered = (task: string): Awaited<ReturnType<Model['complete']>> => ({
  status: 'answered',
  text: `src/${task === 'T-1' ? 'one' : 'two'}.js\n\`\`\`js\nexport const value = 1\n\`\`\`\n`,
  finish: 'stop',
  usage: { requests: 1, promptTokens: 10, completionTokens: 10, dollars: 0 },
})

/** A machine on which the program is started again and again: disk, repository and forge stay. */
function createMachine(
  asked: Asked = answered,
  found?: LoadResult,
  forge: Forge = createMemoryForge(),
) {
  const workspace = createMemoryWorkspace({ files: { 'ROADMAP.md': roadmap } })
  const store = createMemoryStore(found)
  const calls: string[] = []
  const settings = { ...someSettings(), strategy: 'single' as const }
  const ports: Ports = fakePorts({
    workspace,
    forge,
    store,
    settings,
    person: createSilentPerson(),
    sandbox: createScriptedSandbox(),
    syntax: { check: async () => ({ status: 'unavailable', reason: '' }) },
    random: { hex: () => String(calls.length).padStart(6, '0'), fraction: () => 0 },
    model: {
      async complete({ messages }) {
        const task = /T-\d/.exec(messages.at(-1)?.content ?? '')?.[0] ?? ''
        calls.push(task)
        const reply = asked(task, calls.length)
        if (reply instanceof Error) throw reply
        return reply
      },
    },
  })
  const start = (request: Partial<RunRequest> = {}, given = ports) =>
    runRoadmap(given, {
      only: null,
      fresh: false,
      dryRun: false,
      signal: new AbortController().signal,
      ...request,
    })
  return { ports, workspace, forge, store, calls, start }
}

const verdicts = ({ tasks: { results } }: RunState) =>
  Object.fromEntries(Object.entries(results).map(([id, { verdict }]) => [id, verdict]))

const nothing = { answers: {}, feedback: {}, grants: {}, issues: [] } as const

const crash = new Error('the machine died')

it('knows how fast its server was in the last run', async () => {
  const { store, start } = createMachine((task) => ({ ...answered(task), promptSpeed: 62.5 }))
  const first = await start()
  const speeds = first.learned.speeds
  expect(Object.values(speeds ?? {})).toEqual([62.5])
  await start({ only: ['T-1'] })
  const began = store.events.filter((event) => event.kind === 'started')
  expect(began.map((event) => event.state?.learned.speeds)).toEqual([undefined, speeds])
})

it('knows what its server takes before the first request, and as much when it resumes', async () => {
  const { ports, store, start } = createMachine(() => new ExecutorError('model_rejected', 'no'))
  const named: string[] = []
  const { name } = ports.settings.model
  const forms = { edits: { good: 1, of: 5 } }
  const model: Model = {
    ...ports.model,
    window: async (asked) => {
      named.push(asked)
      return named.length === 1 ? 4_096 : null
    },
    forms: async () => (named.length === 1 ? { [name]: forms } : {}),
  }
  await expect(start({}, { ...ports, model })).rejects.toThrow('no')
  const events = await store.journal(store.events[0]?.run ?? '')
  const started = events.find((event) => event.kind === 'started')
  expect(started?.state?.learned).toMatchObject({
    windows: { [name]: 4_096 },
    forms: { [name]: forms },
  })
  expect(named).toEqual([name])
  await expect(start({}, { ...ports, model })).rejects.toThrow('no')
  const loaded = await store.load()
  expect(loaded.status === 'loaded' && loaded.state.learned).toMatchObject({
    windows: { [name]: 4_096 },
    forms: { [name]: forms },
  })
})

describe('sandbox: strict', () => {
  it.each(['single', 'two_phase', 'tools'] as const)(
    'without a sandbox asks the model nothing (strategy: %s)',
    async (strategy) => {
      const { ports, calls, store } = createMachine()
      const settings: Settings = {
        ...ports.settings,
        strategy,
        sandbox: { mode: 'strict', network: false },
      }
      const ability = async () => {
        throw new ExecutorError('sandbox_missing', 'bubblewrap: not found')
      }
      const strict: Ports = { ...ports, settings, sandbox: { ...createScriptedSandbox(), ability } }
      const { signal } = new AbortController()
      const run = runRoadmap(strict, { only: null, fresh: false, dryRun: false, signal })
      await expect(run).rejects.toMatchObject({ code: 'sandbox_missing', exitCode: 2 })
      expect(calls).toEqual([])
      expect(store.saved).toEqual([])
    },
  )
})

describe('a run', () => {
  it('works through the roadmap, and does nothing twice', async () => {
    const forge = createMemoryForge()
    const { start, calls, store } = createMachine(answered, undefined, forge)
    expect(verdicts(await start())).toEqual({ 'T-1': 'unverified', 'T-2': 'unverified' })
    const again = await start()
    expect(verdicts(again)).toEqual({ 'T-1': 'in_review', 'T-2': 'in_review' })
    expect(calls).toEqual(['T-1', 'T-2'])
    expect(forge.pulls).toHaveLength(2)
    expect(store.saved.at(-1)?.run.id).toBe(again.run.id)
  })

  it('ends, and nothing of it runs on: a baseline that nobody waits for is ended', async () => {
    const down = { status: 'unavailable', reason: 'down', retryAt: null, usage: noUsage } as const
    const { ports, start } = createMachine(() => down)
    const files = {
      'ROADMAP.md': roadmap,
      'package.json': '{ "scripts": { "test": "node --test" } }',
      'a.test.js': '',
    }
    const workspace = createMemoryWorkspace({ files })
    let running = 0
    const scripted = createScriptedSandbox()
    const sandbox: Ports['sandbox'] = {
      ...scripted,
      run: ({ signal, ...request }) =>
        new Promise((resolve) => {
          if ('argv' in request.command && request.command.argv[0] === 'sh') {
            return resolve(scripted.run(request))
          }
          running += 1
          const ended = {
            ...{ exitCode: null, signal: null, timedOut: false, ended: 'was no longer needed' },
            ...{ stdout: '', stderr: '', collected: new Map(), seconds: 1 },
            sandbox: 'bubblewrap',
          } as const
          const end = () => {
            running -= 1
            resolve(ended)
          }
          if (signal?.aborted) end()
          signal?.addEventListener('abort', end)
        }),
    }
    const state = await start({}, { ...ports, workspace, sandbox })
    expect([state.progress.stopped, running]).toEqual(['unavailable', 0])
    expect(workspace.folder(`baseline-${state.roadmap.base.sha.slice(0, 12)}`)).toBeNull()
  })

  it('has an id that sorts by time', async () => {
    const { ports } = createMachine()
    const view = await ports.workspace.refresh()
    const {
      run: { id: runId },
    } = newRun(ports, { only: null, dryRun: false }, view)
    expect(runId).toBe('run-20260102-030405-000000')
  })
})

describe('a change with destructive operations', () => {
  const script = "import { rmSync } from 'node:fs'\nrmSync(process.argv[2])\n"
  const destructive: Asked = (task) => ({
    ...answered(task),
    ...(task === 'T-1' && { text: `src/one.js\n\`\`\`js\n${script}\`\`\`\n` }),
  })

  it('waits, and a later run asks again and writes it without paying again', async () => {
    const { start, ports, calls, workspace } = createMachine(
      destructive,
      undefined,
      createLocalForge(),
    )
    const waiting = await start()
    expect(verdicts(waiting)).toMatchObject({ 'T-1': 'waiting' })
    expect(exitCodeOf(waiting)).toBe(3)
    expect(workspace.head('agent/T-1')).toBeNull()
    const asked = calls.filter((task) => task === 'T-1')
    const person = createSilentPerson('approve')
    const end = await start({}, { ...ports, person })
    expect(person.asked).toMatchObject([{ taskId: 'T-1' }])
    expect(verdicts(end)).toMatchObject({ 'T-1': 'unverified' })
    expect(calls.filter((task) => task === 'T-1')).toEqual(asked)
    expect(end.spent.usage.requests).toBe(0)
    expect(end.record.destructive).toMatchObject([{ taskId: 'T-1', decision: 'approved' }])
    const sha = workspace.head('agent/T-1') ?? ''
    expect((await workspace.readFiles(sha, ['src/one.js'])).get('src/one.js')).toBe(script)
    expect(end.tasks.parked).toEqual({})
  })

  it('waits still when nobody is there the second time', async () => {
    const { start, calls } = createMachine(destructive, undefined, createLocalForge())
    await start()
    const before = [...calls]
    const again = await start()
    expect(verdicts(again)).toMatchObject({ 'T-1': 'waiting' })
    expect(calls.slice(before.length)).not.toContain('T-1')
  })

  it('is written anew when the files it changes are no longer what they were', async () => {
    const { start, calls, workspace } = createMachine(destructive, undefined, createLocalForge())
    await start()
    workspace.push('main', { 'src/one.js': 'export const one = 1\n' })
    const before = calls.length
    await start()
    expect(calls.slice(before)).toContain('T-1')
  })

  it.each<[string, Partial<RunRequest>, string | undefined]>([
    ['is reported as waiting by a run for other tasks: not at all', { only: ['T-2'] }, undefined],
    ['is forgotten by a run afresh, which asks the model again', { fresh: true }, 'waiting'],
  ])('%s', async (_, request, verdict) => {
    const { start, calls } = createMachine(destructive, undefined, createLocalForge())
    await start()
    const before = calls.length
    const end = await start(request)
    expect(verdicts(end)['T-1']).toBe(verdict)
    expect(calls.slice(before).includes('T-1')).toBe(request.fresh === true)
  })
})

describe('an unfinished run', () => {
  const dieOnce: Asked = (task, call) => (call === 2 ? crash : answered(task))

  it('knows why tasks failed in the run before it', async () => {
    const last = await createMachine().start()
    const failedBefore = { 'T-9': 'It was too big.' }
    const state = changeState(last, { tasks: { failedBefore } })
    const { start } = createMachine(answered, { status: 'loaded', state })
    expect((await start({ remark: 'comment-1' })).tasks.failedBefore).toEqual(failedBefore)
  })

  it('goes on where it was cut off', async () => {
    const { start, calls, store } = createMachine(dieOnce)
    await expect(start()).rejects.toBe(crash)
    const cut = store.saved.at(-1)
    expect(cut).toMatchObject({
      progress: { next: 'execute_task' },
      attempt: { task: { id: 'T-2' } },
    })
    const end = await start()
    expect(end.run.id).toBe(cut?.run.id)
    expect(verdicts(end)).toEqual({ 'T-1': 'unverified', 'T-2': 'unverified' })
    expect(calls).toEqual(['T-1', 'T-2', 'T-2'])
  })

  it.each<[string, Partial<RunRequest>]>([
    ['for other tasks', { only: ['T-2'] }],
    ['afresh', { fresh: true }],
    [
      'to act on an answer',
      { asked: { ...nothing, answers: { 'T-9': answerNow('skip', 'ada') } } },
    ],
  ])('is left behind by a run that is asked %s', async (_, request) => {
    const { start, store } = createMachine(dieOnce)
    await expect(start()).rejects.toBe(crash)
    const cut = store.saved.at(-1)?.run.id
    const end = await start(request)
    expect(end.run.id).not.toBe(cut)
    expect(end.tasks.results['T-2']?.verdict).toBe('unverified')
  })

  it('that was to act on an answer goes on with it, and with no other', async () => {
    const asked = { ...nothing, answers: { 'T-9': answerNow('retry', 'ada') } }
    const { start, store } = createMachine(dieOnce)
    await expect(start({ asked })).rejects.toBe(crash)
    const cut = store.saved.at(-1)
    expect(cut?.asked.answers).toEqual(asked.answers)
    expect((await start({ asked })).run.id).toBe(cut?.run.id)
  })

  it('tells whoever watches that a damaged state was replaced by the one before', async () => {
    const machine = createMachine(dieOnce)
    await expect(machine.start()).rejects.toBe(crash)
    const [state] = machine.store.saved.slice(-1)
    if (state === undefined) throw new Error('Nothing was saved.')
    const said: string[] = []
    const observer: Observer = { noticed: (text) => void said.push(text) }
    const store = createMemoryStore({ status: 'loaded', state, restored: 'torn at byte 7' })
    const signal = new AbortController().signal
    const request = { only: null, fresh: false, dryRun: false, signal, observer }
    await runRoadmap({ ...machine.ports, store }, request)
    expect(said.join()).toContain('torn at byte 7')
  })

  it('with an unreadable state is a broken set-up', async () => {
    const { start } = createMachine(answered, { status: 'corrupt', detail: 'not JSON' })
    await expect(start()).rejects.toMatchObject({ code: 'state_corrupt' })
    await expect(start({ fresh: true })).resolves.toMatchObject({ progress: { next: 'END' } })
  })
})

describe('a task that kills the run', () => {
  it('is given up after three starts, and the next one gets its turn', async () => {
    const { start, calls } = createMachine((task) => (task === 'T-1' ? crash : answered(task)))
    for (let starts = 1; starts <= 3; starts += 1) await expect(start()).rejects.toBe(crash)
    const end = await start()
    expect(end.tasks.results['T-1']).toMatchObject({
      verdict: 'failed',
      reason: 'the run was interrupted 3 times at this task',
    })
    expect(end.tasks.results['T-2']?.verdict).toBe('unverified')
    expect(calls).toEqual(['T-1', 'T-1', 'T-1', 'T-2'])
  })

  it.each<[string, Asked]>([
    [
      'a set-up that is broken for long',
      (_, call) => (call <= 6 ? new ExecutorError('model_rejected', 'bad key') : answered('T-1')),
    ],
    [
      'a model that is away for long',
      (task, call) =>
        call <= 6
          ? {
              status: 'unavailable',
              reason: 'busy',
              retryAt: null,
              usage: { requests: 1, promptTokens: 0, completionTokens: 0, dollars: 0 },
            }
          : answered(task),
    ],
  ])('is not meant by %s', async (_, asked) => {
    const { start } = createMachine(asked)
    for (let starts = 1; starts <= 6; starts += 1) await start({ only: ['T-1'] }).catch(() => null)
    const end = await start({ only: ['T-1'] })
    expect(verdicts(end)).toEqual({ 'T-1': 'unverified' })
  })
})

describe('a set-up that breaks in the middle', () => {
  it('leaves a report of what was done, and of what is wrong', async () => {
    const { start, store } = createMachine((task) =>
      task === 'T-2' ? new ExecutorError('model_rejected', 'bad key') : answered(task),
    )
    await expect(start()).rejects.toMatchObject({ code: 'model_rejected' })
    const report = JSON.parse(store.reports.get('report.json') ?? '{}')
    expect(JSON.stringify(report)).toContain('bad key')
    expect(store.reports.get('report.md')).toMatch(/T-1/)
    // It is no end of the run: the next start goes on.
    expect(store.saved.at(-1)).toMatchObject({
      progress: { stopped: 'cancelled' },
      run: { completedAt: null },
      record: { errors: [] },
    })
  })
})

describe('a run whose forge has to be left in peace', () => {
  it('ends with a report and the time to come back, and goes on with nothing twice', async () => {
    const forge = createMemoryForge()
    const retryAt = '2026-01-02T04:00:00.000Z'
    const until = (limited: boolean): Forge => ({
      ...forge,
      async upsertPullRequest(draft) {
        if (!limited || draft.head !== 'agent/T-2') return forge.upsertPullRequest(draft)
        throw new ExecutorError('forge_unreachable', 'rate limit', { retryAt })
      },
    })
    const { start, store, ports, calls } = createMachine(answered, undefined, forge)
    const end = await start({}, { ...ports, forge: until(true) })
    expect(end).toMatchObject({ progress: { stopped: 'unavailable', next: 'checkpoint', retryAt } })
    expect(exitCodeOf(end)).toBe(4)
    expect(store.reports.get('report.md')).toContain(`Come back after ${retryAt}`)
    expect(JSON.parse(store.reports.get('report.json') ?? '')).toMatchObject({ retryAt })

    const after = await start({}, { ...ports, forge: until(false) })
    expect(after).toMatchObject({
      run: { id: end.run.id },
      progress: { stopped: null, retryAt: null },
    })
    expect(exitCodeOf(after)).toBe(0)
    expect(calls).toEqual(['T-1', 'T-2'])
    expect((await forge.pullRequests()).map(({ head }) => head)).toEqual(['agent/T-2', 'agent/T-1'])
  })
})

describe('a run without a model for now', () => {
  const away: Asked = (task, call) =>
    call === 1
      ? {
          status: 'unavailable',
          reason: 'overloaded',
          retryAt: '2026-01-03T00:00:00Z',
          usage: { requests: 1, promptTokens: 0, completionTokens: 0, dollars: 0 },
        }
      : answered(task)

  it('ends with a report, and goes on at the same step', async () => {
    const { start, store } = createMachine(away)
    const first = await start()
    expect(first).toMatchObject({
      progress: {
        next: 'END',
        stopped: 'unavailable',
        resumeAt: 'execute_task',
        retryAt: '2026-01-03T00:00:00Z',
      },
    })
    expect(store.reports.has('report.md')).toBe(true)
    const second = await start()
    expect(second).toMatchObject({
      run: { id: first.run.id },
      progress: { stopped: null, resumeAt: null, retryAt: null },
    })
    expect(verdicts(second)).toEqual({ 'T-1': 'unverified', 'T-2': 'unverified' })
  })

  it('goes on at that step though the report was cut off', async () => {
    const { start, ports, store } = createMachine(away)
    const first = await start()
    const dying = createMemoryStore({
      status: 'loaded',
      state: changeState(first, {
        progress: { next: 'generate_report' },
        run: { completedAt: null },
      }),
    })
    const signal = new AbortController().signal
    const request = { only: null, fresh: false, dryRun: false, signal }
    const end = await runRoadmap({ ...ports, store: dying }, request)
    expect(verdicts(end)).toEqual({ 'T-1': 'unverified', 'T-2': 'unverified' })
    expect(store.saved).not.toHaveLength(0)
  })
})

describe('a cancel', () => {
  it('saves where the run was, and is no crash of the task', async () => {
    const { start, store } = createMachine()
    for (let starts = 1; starts <= 4; starts += 1) {
      const controller = new AbortController()
      const cancel = () => controller.abort(new Error('Ctrl-C'))
      const observer: Observer = {
        started: (node) => {
          if (node === 'execute_task') queueMicrotask(cancel)
        },
      }
      const end = await start({ signal: controller.signal, observer })
      expect(end).toMatchObject({ progress: { stopped: 'cancelled', next: 'execute_task' } })
      expect(store.saved.at(-1)).toEqual(end)
    }
    expect(verdicts(await start())).toEqual({ 'T-1': 'unverified', 'T-2': 'unverified' })
  })
})
