import { expect, it } from 'vitest'
import type { Settings } from '../../../src/core/domain/settings.ts'
import { noUsage } from '../../../src/core/domain/usage.ts'
import type { Model } from '../../../src/core/ports/model.ts'
import { replayRun } from '../../../src/runs/replay/replay-run.ts'
import { runRoadmap } from '../../../src/runs/run-roadmap.ts'
import { someSettings } from '../../fakes/facts.ts'
import { run } from '../../faults/memory-cases.ts'
import { createMemoryWorld } from '../../faults/memory-world.ts'
import { night, scenarios, task } from '../../faults/scenarios.ts'

/** A night in which tools are used: a change that is right, one that its tests send back, one that is spent. */
async function playNight(wanted = 'tools are used') {
  const scenario = scenarios.find(({ name }) => name === wanted)
  const world = createMemoryWorld(scenario ?? { roadmap: '' })
  const { process, error } = await run(world, night.happens(world))
  if (error !== null) throw error
  const [recorded = ''] = await process.services.ports.store.runs()
  const replay = (skipTests: boolean, given: Partial<Settings> = {}) => {
    const { signal } = new AbortController()
    const { ports } = world.start().services
    const settings = { ...ports.settings, ...given }
    return replayRun(recorded, { ...ports, settings }, { skipTests, signal })
  }
  return { world, replay }
}

it.each([
  ['and runs its tests', false],
  ['and takes their results from the recording', true],
])('a loop of tools is replayed step by step, %s', async (_, skipTests) => {
  const { world, replay } = await playNight()
  const [paid, tested] = [world.paid.length, world.tested.length]
  const { status, ...found } = await replay(skipTests)
  const steps = 'steps' in found ? found.steps : []
  expect(steps.filter(({ outcome, recorded }) => outcome !== recorded)).toEqual([])
  expect(steps.flatMap(({ differences }) => differences)).toEqual([])
  expect(status).toBe('same')
  expect(steps.filter(({ node }) => node === 'use_tool').length).toBeGreaterThan(15)
  expect(world.paid).toHaveLength(paid)
  expect(world.tested.length - tested).toBe(skipTests ? 0 : tested)
})

it('a loop of tools is replayed with the settings of its run, whatever is configured now', async () => {
  const { replay } = await playNight()
  const { limits } = someSettings({
    toolCalls: 2,
    failingChanges: 1,
    toolTestRuns: 0,
    reflections: 0,
  })
  const { status, ...found } = await replay(true, {
    ...{ limits, strategy: 'single', reflectAfter: 1 },
    tools: { allowed: ['write_diff', 'done'], native: false, summariseOver: 500 },
  })
  const steps = 'steps' in found ? found.steps : []
  expect(steps.flatMap(({ differences }) => differences)).toEqual([])
  expect(status).toBe('same')
})

it('a silent endpoint is replayed with the same halves', async () => {
  const world = createMemoryWorld({
    roadmap: `# Plan\n\n${task('T-1', 'one')}`,
    settings: { strategy: 'two_phase' },
  })
  const { ports } = world.start().services
  let silences = 0
  const model: Model = {
    async complete(request) {
      if (!request.endsWhenSilent) return ports.model.complete(request)
      silences += 1
      const usage = { ...noUsage, requests: 1 }
      return { status: 'silent', reason: 'no data for 60 seconds', usage }
    },
  }
  const { signal } = new AbortController()
  await runRoadmap({ ...ports, model }, { only: null, fresh: false, dryRun: false, signal })
  expect(silences).toBeGreaterThan(0)
  const [recorded = ''] = await ports.store.runs()
  const paid = world.paid.length
  const { status, ...found } = await replayRun(recorded, world.start().services.ports, {
    skipTests: true,
    signal,
  })
  const steps = 'steps' in found ? found.steps : []
  expect(steps.flatMap(({ differences }) => differences)).toEqual([])
  expect(status).toBe('same')
  expect(world.paid).toHaveLength(paid)
})

it('a run of several tasks at a time is not replayed in another order', async () => {
  const { replay } = await playNight('tools are used, three tasks at a time')
  expect(await replay(true)).toEqual({
    status: 'impossible',
    reason: expect.stringContaining('several tasks at the same time'),
  })
})
