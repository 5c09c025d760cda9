import type { Ports } from '../../src/core/ports.ts'
import { serveTrigger } from '../../src/runs/serve-trigger.ts'
import type { Trigger } from '../../src/runs/triggers/trigger.ts'
import { compareEnds, type EndState, endOf } from './end-state.ts'
import { createMemoryWorld, type Machines, type MemoryWorld } from './memory-world.ts'
import { type Fault, isWrite, type Point, type Strike } from './points.ts'
import { night, type Scenario } from './scenarios.ts'
import { type Before, lookBefore, type Process, type Watched, watch } from './watch-process.ts'

/** A place in a scenario, and what goes wrong there. */
export interface MemoryCase extends Strike {
  readonly scenario: Scenario
  readonly machines: Machines
  readonly step: number
  readonly point: Point
  /** What starts the next process: the same event once more, or the next night. */
  readonly then: 'again' | 'night'
}

/** How a scenario goes when nothing goes wrong: of each step its calls, and how things are after it. */
export interface Undisturbed {
  readonly machines: Machines
  readonly points: readonly (readonly Point[])[]
  readonly ends: readonly EndState[]
  /** Test runs of changes so far. */
  readonly tested: readonly number[]
  /** Answers that were kept nowhere when a step had ended. */
  readonly unkept: readonly number[]
  /** Answers paid for so far. */
  readonly paid: readonly number[]
}

/** One process, from its start to its end or its death. */
export async function run(
  world: MemoryWorld,
  trigger: Trigger,
  watched: Watched = {},
): Promise<{ readonly process: Process; readonly error: unknown }> {
  const process = watch(world, watched)
  const { signal } = new AbortController()
  const request = { trigger, dryRun: false, signal, say: () => {} }
  const end = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    )
  const error = await end(serveTrigger(request, process.services))
  const late = await end(process.close())
  return { process, error: error ?? late }
}

/** A process that dies where it is told to, by the name of the call and what is asked. */
export async function runOnce(
  world: MemoryWorld,
  trigger: Trigger,
  kills: (call: string, text: string) => boolean,
): Promise<{ readonly error: unknown }> {
  const { services: started } = world.start()
  let isDead = false
  const model: Ports['model'] = {
    async complete(request) {
      isDead ||= kills(`model.complete ${request.purpose}`, request.messages.at(-1)?.content ?? '')
      if (isDead) throw new Error('killed')
      return started.ports.model.complete(request)
    },
  }
  world.clock.advance(hour)
  const { signal } = new AbortController()
  const services = { ...started, ports: { ...started.ports, model } }
  try {
    await serveTrigger({ trigger, dryRun: false, signal, say: () => {} }, services)
    return { error: null }
  } catch (error) {
    return { error }
  }
}

export const hour = 3600

/** @throws what a process threw that nothing disturbed */
export async function playUndisturbed(
  scenario: Scenario,
  machines: Machines = 'one disk',
): Promise<Undisturbed> {
  // Code that is loaded at its first use lets other lanes go first: only then.
  if (scenario.settings?.parallel !== undefined) await play(scenario, machines)
  return play(scenario, machines)
}

async function play(scenario: Scenario, machines: Machines): Promise<Undisturbed> {
  const world = createMemoryWorld(scenario, machines)
  const [points, ends, paid]: [Point[][], EndState[], number[]] = [[], [], []]
  const [unkept, tested]: [number[], number[]] = [[], []]
  for (const step of scenario.steps) {
    world.clock.advance(hour)
    const { process, error } = await run(world, step.happens(world))
    if (error !== null) throw error
    points.push([...process.points])
    ends.push(await endOf(world))
    paid.push(world.paid.length)
    unkept.push(process.unkept())
    tested.push(world.tested.length)
  }
  return { machines, points, ends, paid, unkept, tested }
}

/**
 * Everything that can go wrong at every place. What may happen to doors other than the repository's
 * refs goes wrong on one disk; fresh machines only die there.
 */
export function casesOf(
  scenario: Scenario,
  { machines, points }: Undisturbed,
): readonly MemoryCase[] {
  const may = (call: string, fault: Fault): boolean =>
    machines === 'one disk' || call.startsWith('refs.') || /^killed (?!within)/.test(fault)
  return points.flatMap((ofStep, step) =>
    ofStep.flatMap((point) =>
      point.faults
        .filter((fault) => may(point.call, fault))
        .flatMap((fault) =>
          (['again', 'night'] as const)
            .filter((then) => then === 'night' || fault.startsWith('killed'))
            .map((then) => ({ scenario, machines, step, point, at: point.index, fault, then })),
        ),
    ),
  )
}

/** Of deaths between which nothing is written anywhere only the first: the next process finds the same. */
export function distinct(cases: readonly MemoryCase[]): readonly MemoryCase[] {
  const seen = new Set<string>()
  return cases.filter(({ scenario, machines, step, point, fault, then }) => {
    if (fault !== 'killed before' && fault !== 'killed after') return true
    const isAfter = fault === 'killed after' && isWrite(point.call.split(' ')[0] ?? '')
    const key = JSON.stringify([scenario.name, machines, step, then, point.writes + +isAfter])
    return !seen.has(key) && seen.add(key)
  })
}

export const describeCase = ({
  scenario,
  machines,
  step,
  point,
  fault,
  then,
}: MemoryCase): string =>
  `${scenario.name}${machines === 'one disk' ? '' : `, on ${machines}`}: ${scenario.steps[step]?.name}: ${fault} ${point.call} (call ${point.index}), then ${then}`

/** Passes until one has nothing to do. */
const mostNights = 3

/** Plays the case, and says what is wrong in the end. */
export async function check(
  given: MemoryCase,
  undisturbed: Undisturbed,
): Promise<readonly string[]> {
  const { scenario, machines, step, point, at, fault, then } = given
  const before: Before | null = fault === 'lagging' ? new Map() : null
  const world = createMemoryWorld(scenario, machines)
  for (const earlier of scenario.steps.slice(0, step)) {
    world.clock.advance(hour)
    await run(world, earlier.happens(world), { before })
  }
  world.clock.advance(hour)
  if (before !== null) await lookBefore(world, before)
  const trigger = scenario.steps[step]?.happens(world) ?? night.happens(world)
  const { process, error } = await run(world, trigger, { strike: { at, fault }, before })
  const wrong: string[] = []
  if (undisturbed.unkept[step] !== 0) wrong.push('an answer of the model was never kept')
  // Looking before each call moves the calls of lanes against one another.
  const isMoved = before !== null && scenario.settings?.parallel !== undefined
  if (!isMoved && process.points[at]?.call !== point.call)
    wrong.push(`${point.call} was not called`)
  if (isBug(error)) wrong.push(`a bug: ${error.stack}`)
  if (then === 'again') {
    world.clock.advance(60)
    const again = await run(world, trigger)
    if (again.error !== null) wrong.push(`the next process failed: ${again.error}`)
  }
  wrong.push(...(await passNights(world)))
  const expected = undisturbed.ends[step] ?? {}
  const ends = compareEnds(expected, await endOf(world))
  const asked = world.paid.length - (undisturbed.paid[step] ?? 0)
  const lost = mayPayAgain(point, fault, process)
  if (asked < 0 || asked > lost)
    wrong.push(`the model was asked ${Math.abs(asked)} times too ${asked > 0 ? 'often' : 'seldom'}`)
  const more = world.tested.length - (undisturbed.tested[step] ?? 0)
  if (machines === 'one disk' && more > process.untested())
    wrong.push(`tests ran ${more} times too often`)
  const spending = checkSpending(world, given, lost)
  const leases = await checkLeases(world)
  const all = [...wrong, ...ends, ...spending, ...leases]
  return all.filter((each) => !isPrice(given, each))
}

export async function passNights(world: MemoryWorld): Promise<readonly string[]> {
  for (let nights = 0; nights < mostNights; nights += 1) {
    const { writes } = world.repository.counters
    world.clock.advance(hour)
    const { error } = await run(world, night.happens(world))
    if (error !== null) return [`the night failed: ${error}`]
    if (world.repository.counters.writes === writes) return []
  }
  return [`there is still something to do after ${mostNights} nights`]
}

export const isBug = (error: unknown): error is Error =>
  error instanceof Error && error.name !== 'Killed' && error.name !== 'ExecutorError'

/**
 * Answers that a death may cost: between the model's answer and its line in the journal one, and those of a loop of
 * tools that a machine which is gone had not pushed.
 */
export function mayPayAgain(
  { call, unkept }: Point,
  fault: Fault,
  { unkept: inTheEnd }: Process,
): number {
  // What went on beside the last call of the process may have been the model's answer.
  if (fault === 'killed after' || fault === 'killed within') return inTheEnd()
  return unkept + +(call.startsWith('model.') && fault === 'unanswered')
}

/** What the dead claimed is anybody's, and goes away with the next run that has something to do. */
export async function checkLeases(world: MemoryWorld): Promise<readonly string[]> {
  const { place, workspace } = world
  if (place.refusal !== null || place.leases.size === 0) return []
  const before = workspace.filesAt(workspace.head('main') ?? '')['ROADMAP.md']
  const more = '- [ ] **T-9**: Add last, in `src/last.js`\n'
  workspace.push('main', { 'ROADMAP.md': `${before}${more}` })
  world.clock.advance(hour)
  await run(world, night.happens(world))
  return [...place.leases.keys()].map((name) => `the claim on ${name} is left`)
}

/** What was paid for is in the books, but for the answer that died with its process. */
function checkSpending(
  world: MemoryWorld,
  { point }: MemoryCase,
  answersLost: number,
): readonly string[] {
  const lost = world.paid.length - world.booked()
  const mayBeLost = answersLost + +(point.call === 'store.recordSpending')
  return lost >= 0 && lost <= mayBeLost ? [] : [`${lost} answers are not in the books`]
}

/** What an outside that cannot be reached, or is closed to us, costs for good, and why that is not mended. */
const prices: readonly {
  readonly call: string
  /** Any but a death, when not given. */
  readonly fault?: Fault
  readonly wrong: RegExp
  readonly why: string
}[] = [
  {
    ...{ call: 'refs.push', fault: 'forbidden' },
    wrong: /^\d+ answers are not in the books$/,
    why: 'Where the repository keeps no state, its runners do not know what the others spent.',
  },
  {
    call: 'forge.upsertComment',
    wrong: /^remarks: -comment .* executor:(?:report|decided|settled)[^|]*(?: \| \+)?$/,
    why: 'Such a comment tells of one run; the report has it all the same.',
  },
  {
    call: 'forge.upsertReviewComment',
    wrong: /^remarks: -review_comment [^|]* executor:question[^|]*$/,
    why: 'The question is in the body of the pull request, too.',
  },
  {
    call: 'forge.close',
    wrong: /^pull request #executor\/recovery\/\S+ \d: -closed \| \+open$/,
    why: 'The report says that an answered question is still open; whoever asked can close it.',
  },
  {
    call: 'discussion.answer',
    wrong: /^remarks: -review_comment [^|]* executor:revised[^|]*$/,
    why: 'What became of a thread is in the reply, too.',
  },
  {
    call: 'workspace.park',
    wrong: /^parked: /,
    why: 'Left over, it is read by nothing; missing, the branch alone is what is approved.',
  },
  {
    call: 'forge.upsertPullRequest',
    wrong: /^remarks: .*-review_comment [^|]* executor:question/,
    why: 'The question is in the body of the pull request, too.',
  },
  {
    call: 'forge.merge',
    wrong: /./,
    why: 'An approval that GitHub did not take is answered with that: the person says it again.',
  },
]

const isPrice = ({ point, fault }: MemoryCase, wrong: string): boolean =>
  prices.some(
    (price) =>
      (price.fault === undefined ? unmet.includes(fault) : price.fault === fault) &&
      price.call === point.call &&
      price.wrong.test(wrong),
  )

const unmet: readonly Fault[] = ['unreachable', 'unanswered']
