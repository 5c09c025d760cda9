import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RunEvent } from '../../../src/entry/events/event-schema.ts'
import {
  createScriptedModel,
  type ExecutorError,
  type Forge,
  type Model,
  type Person,
  type RunRoadmapOptions,
  runRoadmap,
} from '../../../src/entry/library.ts'
import { createProject, leftovers, type Project } from '../../e2e/cli/bench.ts'
import { alphabet, letterFiles, letterRoadmap } from '../../e2e/cli/letters.ts'
import { file } from '../../e2e/cli/model.ts'
import { createMemoryForge } from '../../fakes/memory-forge.ts'

const files = { ...alphabet, 'ROADMAP.md': letterRoadmap(2) }
const clearing = { ...alphabet, 'ROADMAP.md': '- [ ] T-1: Add a script that clears a folder\n' }
const clears = file('scripts/clear.sh', '#!/bin/sh\nset -eu\nrm -rf "$1"\n')

let project: Project
const open = (given: Readonly<Record<string, string>> = files): void => {
  project = createProject(given)
  vi.stubEnv('XDG_CACHE_HOME', project.cache)
}
const run = (options: RunRoadmapOptions) =>
  runRoadmap({ repository: project.path, settings: { sandbox: 'off' }, ...options })

beforeEach(() => {
  for (const name of ['OPENAI_API_KEY', 'OPENAI_MODEL', 'OPENAI_BASE_URL']) vi.stubEnv(name, '')
})
afterEach(() => {
  vi.unstubAllEnvs()
  project[Symbol.dispose]()
})

describe('runRoadmap', () => {
  it('runs twice in one process and leaves no trace in it', async () => {
    open()
    const count = () =>
      ['SIGINT', 'SIGTERM', 'uncaughtException'].map((name) => process.listenerCount(name))
    const before = [...count(), process.exitCode]
    const written = vi.spyOn(process.stdout, 'write')
    const events: RunEvent[] = []
    const onEvent = (event: RunEvent) => void events.push(event)
    const model = createScriptedModel([letterFiles(0), letterFiles(1)])
    const first = await run({ tasks: ['T-1'], model, onEvent })
    expect(first).toMatchObject({
      totals: { done: 1 },
      tasks: [{ id: 'T-1', branch: 'agent/T-1' }],
    })
    const second = await run({ model, settings: { sandbox: 'off', model: 'mine' } })
    expect(second).toMatchObject({ totals: { done: 2 }, limits: [] })
    expect(written).not.toHaveBeenCalled()
    written.mockRestore()
    expect([...count(), process.exitCode]).toEqual(before)
    expect(model.requests.map(({ model }) => model)).toEqual(['custom', 'mine'])
    expect(events.at(0)).toMatchObject({ v: 1, type: 'run_started', model: 'custom' })
    expect(events.at(-1)).toMatchObject({ type: 'run_ended', exitCode: 0, run: first.runId })
    expect(project.branches()).toEqual(['agent/T-1', 'agent/T-2'])
    expect(leftovers(project)).toEqual([])
  })

  it('stops at the signal, whatever the model does, and resumes at the same call', async () => {
    open()
    const controller = new AbortController()
    const asked = Promise.withResolvers<void>()
    const silent: Model = {
      complete() {
        asked.resolve()
        return new Promise(() => {})
      },
    }
    const stopped = run({ tasks: ['T-1'], model: silent, signal: controller.signal })
    await asked.promise
    controller.abort()
    expect(await stopped).toMatchObject({ unfinished: 'T-1', tasks: [] })
    const events: RunEvent[] = []
    const onEvent = (event: RunEvent) => void events.push(event)
    const model = createScriptedModel([letterFiles(0)])
    expect((await run({ tasks: ['T-1'], model, onEvent })).totals.done).toBe(1)
    expect(events[0]).toMatchObject({ type: 'run_started', resumed: true })
    expect(leftovers(project)).toEqual([])
  })

  it('stops at an error of the listener, throws it, and resumes', async () => {
    open()
    const model = createScriptedModel([letterFiles(0)])
    const failing = (event: RunEvent) => {
      if (event.type === 'step' && event.step === 'execute_task') throw new Error('listener')
    }
    await expect(run({ tasks: ['T-1'], model, onEvent: failing })).rejects.toThrow('listener')
    expect((await run({ tasks: ['T-1'], model })).totals.done).toBe(1)
    expect(model.requests).toHaveLength(1)
  })

  it('asks the given person, and lets the change wait without one', async () => {
    open(clearing)
    const model = createScriptedModel([clears])
    expect((await run({ model })).totals.waiting).toBe(1)
    class Ada implements Person {
      readonly titles: string[] = []
      get present() {
        return true
      }
      async ask({ title, body, choices }: Parameters<Person['ask']>[0]) {
        this.titles.push(title)
        expect([body.includes('rm -rf'), choices]).toEqual([
          true,
          expect.arrayContaining(['approve']),
        ])
        return { choice: 'approve', by: 'ada', at: null, text: '', tasks: [], sha: null } as const
      }
    }
    const person = new Ada()
    const report = await run({ model, person })
    expect(person.titles).toEqual(['Add a script that clears a folder'])
    expect(report.destructive.at(-1)).toMatchObject({ decision: 'approved', by: 'ada' })
    expect(project.show('agent/T-1', 'scripts/clear.sh')).toContain('rm -rf')
  })

  it('publishes on the given forge, also one that is an instance of a class', async () => {
    open()
    const memory = createMemoryForge()
    class Mine {}
    for (const [name, member] of Object.entries(memory)) Reflect.set(Mine.prototype, name, member)
    const forge = new Mine() as unknown as Forge
    const report = await run({
      tasks: ['T-1'],
      model: createScriptedModel([letterFiles(0)]),
      forge,
    })
    expect(report.tasks[0]).toMatchObject({ outcome: 'in_review', pr: { number: 1 } })
  })

  it('plans a dry run without a key', async () => {
    open()
    const report = await run({ dryRun: true })
    expect(report.tasks.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
      ...['T-1 planned', 'T-2 planned'],
    ])
  })

  it.each<[said: string, options: RunRoadmapOptions, code: ExecutorError['code']]>([
    ['No model is configured.', {}, 'no_model'],
    ['OPENAI_API_KEY is not set, and', { settings: { model: 'any' } }, 'no_api_key'],
    ['max-tasks must be a number', { settings: { 'max-tasks': 'x' as never } }, 'config_invalid'],
    ['nonsense is not a setting', { settings: { nonsense: 1 } as object }, 'config_invalid'],
    ['Switched off', { settings: { enabled: false } }, 'switched_off'],
    ['is not inside a git repository', { repository: '/' }, 'not_a_repository'],
    ['no price', { settings: { model: 'x', 'max-cost': 1 }, apiKey: 'key' }, 'no_price'],
  ])('refuses a wrong set-up: %s', async (said, options, code) => {
    open()
    const refused = run(options)
    await expect(refused).rejects.toMatchObject({ name: 'ExecutorError', code })
    await expect(refused).rejects.toThrow(new RegExp(said, 'i'))
  })
})
