import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../../src/core/domain/attempt.ts'
import { failureAt } from '../../../src/core/domain/change-state.ts'
import type { JournalEntry } from '../../../src/core/domain/journal-event.ts'
import { noUsage } from '../../../src/core/domain/usage.ts'
import { nextWay, routeFor } from '../../../src/recovery/task/choose-route.ts'
import { replayRun } from '../../../src/runs/replay/replay-run.ts'
import { anAttempt, aState, fakePorts, someSettings } from '../../fakes/facts.ts'
import { createMemoryStore } from '../../fakes/memory-store.ts'
import { run } from '../../faults/memory-cases.ts'
import { createMemoryWorld } from '../../faults/memory-world.ts'
import { night, task } from '../../faults/scenarios.ts'

const auto = { ...someSettings(), strategy: 'auto' } as const
const size = { shape: 'one_file', complexity: 'low' } as const
const single = { way: 'single', reason: 'it names its file' } as const

describe('the way of an attempt', () => {
  const known: JournalEntry = {
    ...{ kind: 'routed', task: 'T-1', attempt: 1, after: null },
    ...{ way: 'two_phase', reason: 'as the history was' },
  }
  it.each<[string, Partial<Attempt>, readonly JournalEntry[], object]>([
    ['is chosen', {}, [], single],
    [
      'is the one that the journal has',
      {},
      [known],
      { way: 'two_phase', reason: 'as the history was' },
    ],
    ['is not that of another attempt', { number: 2 }, [known], single],
    ['changes after a failure', { earlier: 'It failed.' }, [], { way: 'tools' }],
    [
      'is the cheap one for a review',
      { earlier: 'It failed.', feedback: { text: 'Shorter.', threads: [] } as never },
      [known],
      { way: 'single', reason: 'it changes reviewed work' },
    ],
  ])('%s', async (_, facts, entries, route) => {
    const store = createMemoryStore()
    const state = aState()
    await store.record(state.run.id, entries)
    const attempt = { ...anAttempt(facts), size }
    expect(await routeFor(attempt, state, fakePorts({ settings: auto, store }))).toMatchObject(
      route,
    )
    expect(await routeFor(attempt, state, fakePorts({ store }))).toBeUndefined()
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
  const played = async () => {
    const tasks = [task('T-1', 'one'), task('T-2', 'hopeless'), '- [ ] **T-3**: Add clear\n']
    const world = createMemoryWorld({
      roadmap: `# Plan\n\n${tasks.join('')}`,
      settings: { strategy: 'auto' },
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

  it('is replayed in the same ways', async () => {
    const { world, name } = await played()
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
