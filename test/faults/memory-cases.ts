import { type RunRequest } from '../../src/runs/run-roadmap.ts'
import { serveTrigger } from '../../src/runs/serve-trigger.ts'
import type { Trigger } from '../../src/triggers/trigger.ts'
import { compareEnds, type EndState, endOf } from './end-state.ts'
import { createMemoryWorld, type MemoryWorld } from './memory-world.ts'
import { type Point, type Process, type Strike, watch } from './points.ts'
import { night, type Scenario } from './scenarios.ts'

/** A place in a scenario and what goes wrong there. */
export interface MemoryCase extends Strike {
  readonly scenario: Scenario
  readonly step: number
  readonly point: Point
  /** What starts the next process: the same event once more, or the next night. */
  readonly then: 'again' | 'night'
}

export interface Undisturbed {
  /** Of each step, in the order of the calls. */
  readonly points: readonly (readonly Point[])[]
  readonly ends: readonly EndState[]
  readonly paid: readonly (readonly string[])[]
}

/** One process, from its start to its end or its death. */
export async function run(
  world: MemoryWorld,
  trigger: Trigger,
  strike: Strike | null,
): Promise<{ readonly process: Process; readonly error: unknown }> {
  const process = watch(world.start(), strike)
  const request: Pick<RunRequest, 'dryRun' | 'signal'> = {
    dryRun: false,
    signal: new AbortController().signal,
  }
  try {
    await serveTrigger({ ...request, trigger, say: () => {} }, process.services)
    return { process, error: null }
  } catch (error) {
    return { process, error }
  }
}

const hour = 3600

async function play(scenario: Scenario, steps: number): Promise<MemoryWorld> {
  const world = createMemoryWorld(scenario.roadmap)
  for (const step of scenario.steps.slice(0, steps)) {
    world.clock.advance(hour)
    const { error } = await run(world, step.happens(world), null)
    if (error !== null) throw error
  }
  return world
}

/** The scenario as it should be; each night after a step finds nothing to do. */
export async function playUndisturbed(scenario: Scenario): Promise<Undisturbed> {
  const world = createMemoryWorld(scenario.roadmap)
  const [points, ends, paid]: [Point[][], EndState[], string[][]] = [[], [], []]
  for (const step of scenario.steps) {
    world.clock.advance(hour)
    const { process, error } = await run(world, step.happens(world), null)
    if (error !== null) throw error
    points.push([...process.points])
    ends.push(await endOf(world))
    paid.push([...world.paid])
  }
  return { points, ends, paid }
}

/** Everything that can go wrong at every place. */
export function casesOf(scenario: Scenario, { points }: Undisturbed): readonly MemoryCase[] {
  return points.flatMap((ofStep, step) =>
    ofStep.flatMap((point) =>
      point.faults.flatMap((fault) =>
        (['again', 'night'] as const)
          .filter((then) => then === 'night' || fault.startsWith('killed'))
          .map((then) => ({ scenario, step, point, at: point.index, fault, then })),
      ),
    ),
  )
}

const mostNights = 3

/** Plays the case; what is wrong in the end, in words. */
export async function check(
  { scenario, step, point, at, fault, then }: MemoryCase,
  undisturbed: Undisturbed,
): Promise<readonly string[]> {
  const world = await play(scenario, step)
  world.clock.advance(hour)
  const happened = scenario.steps[step]
  if (happened === undefined) throw new Error(`There is no step ${step}.`)
  const trigger = happened.happens(world)
  const { process, error } = await run(world, trigger, { at, fault })
  const wrong: string[] = []
  if (process.points[at]?.call !== point.call) wrong.push(`${point.call} was not called`)
  if (error instanceof Error && isBug(error)) wrong.push(`a bug: ${error.stack}`)
  if (then === 'again') {
    world.clock.advance(60)
    const again = await run(world, trigger, null)
    if (again.error !== null) wrong.push(`the next process failed: ${again.error}`)
  }
  for (let nights = 0; nights < mostNights; nights += 1) {
    const { writes } = world.repository.counters
    world.clock.advance(hour)
    const next = await run(world, night.happens(world), null)
    if (next.error !== null) wrong.push(`the night failed: ${next.error}`)
    if (world.repository.counters.writes === writes) break
  }
  return [
    ...wrong,
    ...compareEnds(undisturbed.ends[step] ?? {}, await endOf(world)),
    ...comparePaid(undisturbed.paid[step] ?? [], world.paid, mayPayAgain(point, fault)),
  ]
}

const isBug = (error: Error): boolean => error.name !== 'Killed' && error.name !== 'ExecutorError'

/** Between the model's answer and its line in the journal a death costs the answer. */
const mayPayAgain = (point: Point, fault: Strike['fault']): boolean =>
  (point.call === 'model.complete' && (fault === 'killed after' || fault === 'unanswered')) ||
  (point.keepsAnswer && fault !== 'killed after')

function comparePaid(
  expected: readonly string[],
  found: readonly string[],
  again: boolean,
): readonly string[] {
  const more = found.length - expected.length
  if (more === 0 || (again && more === 1)) return []
  return [`the model was asked ${found.length} times, not ${expected.length}`]
}
