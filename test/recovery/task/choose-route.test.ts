import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../../src/core/domain/attempt.ts'
import { failureAt } from '../../../src/core/domain/change-state.ts'
import type { RouteRecord } from '../../../src/core/domain/route.ts'
import { noUsage } from '../../../src/core/domain/usage.ts'
import { noRecord, type RouteBook } from '../../../src/core/ports/routes.ts'
import { chooseFor, nextWay } from '../../../src/recovery/task/choose-route.ts'
import { replayRun } from '../../../src/runs/replay/replay-run.ts'
import { anAttempt, aState, fakePorts, someSettings } from '../../fakes/facts.ts'
import { run } from '../../faults/memory-cases.ts'
import { createMemoryWorld } from '../../faults/memory-world.ts'
import { night, task } from '../../faults/scenarios.ts'

const auto = { ...someSettings(), strategy: 'auto' } as const
const size = { shape: 'one_file', complexity: 'low' } as const
const broken = { ...size, refinement: '', context: '', errorType: 'syntax_error' } as const
const single = { way: 'single', reason: 'it names its file' } as const

describe('the way of an attempt', () => {
  const recorded = { route: { way: 'two_phase', reason: 'as the history was' } } as const
  const routes = (read: RouteRecord = noRecord): RouteBook => ({ read: async () => read })
  const replayed: RouteBook = {
    ...routes(),
    recorded: (id, number) => (id === 'T-1' && number === 1 ? recorded : undefined),
  }
  it.each<[string, Partial<Attempt>, RouteBook, object]>([
    ['is chosen', {}, routes(), single],
    ['is the one that was recorded', {}, replayed, recorded.route],
    ['is not that of another attempt', { number: 2 }, replayed, single],
    ['changes after a failure', { earlier: 'It failed.' }, routes(), { way: 'tools' }],
    [
      'is the cheap one for a review',
      { earlier: 'It failed.', feedback: { text: 'Shorter.', threads: [] } as never },
      replayed,
      { way: 'single', reason: 'it changes reviewed work' },
    ],
  ])('%s', async (_, facts, book, route) => {
    const attempt = { ...anAttempt(facts), size }
    const ports = fakePorts({ settings: auto, routes: book })
    expect((await chooseFor(attempt, ports)).route).toMatchObject(route)
    expect(await chooseFor(attempt, fakePorts({}))).toEqual({})
  })

  const learned = { ...noRecord, firstAnswers: [{ ...broken, samples: 20, first: 5 }] }
  it.each<[string, Partial<Attempt>, object, string | undefined]>([
    ['is refined', {}, {}, 'close_code'],
    ['is refined with any strategy that asks once', {}, { strategy: 'two_phase' }, 'close_code'],
    ['is not refined with tools', {}, { strategy: 'tools' }, undefined],
    ['is not refined without memory', {}, { memory: false }, undefined],
    ['is not refined after a failure', { earlier: 'It failed.' }, {}, undefined],
    ['is not refined the second time', { number: 2 }, {}, undefined],
  ])('%s', async (_, facts, settings, refinement) => {
    const ports = fakePorts({ settings: { ...auto, ...settings }, routes: routes(learned) })
    const choice = await chooseFor({ ...anAttempt(facts), size }, ports)
    expect(choice.refinement).toBe(refinement)
  })
})

describe('the next way of a task whose attempt failed', () => {
  const failed = {
    ...{ route: single, size, failure: failureAt('repairs_spent', 'It still fails.') },
    usage: { ...noUsage, promptTokens: 1_000 },
    ...{ validationRepairs: 2, plan: null },
  }
  const next = (facts: Partial<Attempt>, limits = {}, settings: typeof auto = auto) =>
    nextWay(
      aState({ attempt: anAttempt({ ...failed, ...facts }) }),
      fakePorts({ settings: { ...settings, limits: { ...settings.limits, ...limits } } }),
    )

  it('is tools, in a fresh attempt that knows why', () => {
    expect(next({})).toMatchObject({
      ...{ number: 2, route: { way: 'tools', reason: 'single failed' } },
      ...{ failure: null, draft: null, validationRepairs: 0 },
      earlier: 'An earlier attempt at this task failed. It still fails.',
    })
  })

  it.each<[string, Partial<Attempt>, object]>([
    ['after tools', { route: { way: 'tools', reason: '' } }, {}],
    ['for a refused write', { failure: failureAt('refused', 'no') }, {}],
    ['when its tests cannot run', { failure: failureAt('cannot_run', 'no') }, {}],
    ['for reviewed work', { feedback: { text: '', threads: [] } as never }, {}],
    ['beyond the budget of the task', {}, { tokensPerTask: 5_900 }],
    ['beyond the budget of the run', {}, { tokens: 4_900 }],
  ])('is none %s', (_, facts, limits) => {
    expect(next(facts, limits)).toBeNull()
  })

  it('is none with another strategy', () => {
    const state = aState({ attempt: anAttempt(failed) })
    expect(nextWay(state, fakePorts({}))).toBeNull()
  })
})

describe('a run with strategy: auto', () => {
  const played = async (routes?: RouteBook) => {
    const tasks = [task('T-1', 'one'), task('T-2', 'hopeless'), '- [ ] **T-3**: Add clear\n']
    const world = createMemoryWorld({
      roadmap: `# Plan\n\n${tasks.join('')}`,
      settings: { strategy: 'auto' },
      ...(routes && { routes }),
    })
    const { process, error } = await run(world, night.happens(world))
    if (error !== null) throw error
    const { store } = process.services.ports
    const [name = ''] = await store.runs()
    return { world, name, events: await store.journal(name) }
  }

  it('tells its journal and its report each way, and why', async () => {
    const { events, world } = await played()
    const routed = events.flatMap((event) => (event.kind === 'routed' ? [event] : []))
    expect(
      routed.map(({ task: id, attempt, way, after }) => [id, attempt, way, after?.attempt]),
    ).toEqual([
      ['T-1', 1, 'single', undefined],
      ['T-2', 1, 'single', undefined],
      ['T-2', 2, 'tools', 1],
      ['T-3', 1, 'tools', undefined],
    ])
    expect(world.store.reports.get('report.md')).toContain('- T-2 tools: single failed')
  })

  const learned: RouteBook = {
    read: async () => ({
      ...noRecord,
      firstAnswers: [{ ...broken, shape: 'few_words', samples: 20, first: 5 }],
    }),
  }
  it.each([
    ['without a history', undefined, []],
    ['with refinements', learned, ['close_code', 'close_code']],
  ])('is replayed in the same ways and words %s', async (_, routes, refinements) => {
    const { world, name, events } = await played(routes)
    expect(
      events.flatMap((event) => (event.kind === 'stepped' ? (event.refinement ?? []) : [])),
    ).toEqual(refinements)
    const { signal } = new AbortController()
    const ports = {
      ...world.start().services.ports,
      // The history has other news by now.
      routes: { read: () => Promise.reject(new Error('A replay chooses nothing.')) },
    }
    const { status, ...found } = await replayRun(name, ports, { skipTests: false, signal })
    const steps = 'steps' in found ? found.steps : []
    expect(steps.filter(({ outcome, recorded }) => outcome !== recorded)).toEqual([])
    expect(status).toBe('same')
  })
})
