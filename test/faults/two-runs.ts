/** Two runs at once, each on a machine of its own: any call of the one is where the other comes between. */
import { compareEnds, endOf } from './end-state.ts'
import {
  checkLeases,
  hour,
  isBug,
  mayPayAgain,
  passNights,
  run,
  type Undisturbed,
} from './memory-cases.ts'
import { createMemoryWorld } from './memory-world.ts'
import { night, type Scenario } from './scenarios.ts'

/** What the other one does at that call of the first. */
type Meeting =
  /** All of its work. */
  | 'works'
  /** Some of its work, and the rest when the first has come to its end. */
  | 'works and waits'
  /** All of its work; then the first dies. */
  | 'survives'
  /** From the start on, they call in turns. */
  | 'in turns'

export interface TwoRuns {
  readonly scenario: Scenario
  readonly step: number
  /** A call of the first. */
  readonly at: number
  readonly meeting: Meeting
}

export const casesOfTwo = (scenario: Scenario, { points }: Undisturbed): readonly TwoRuns[] =>
  points.flatMap((ofStep, step) => [
    { scenario, step, at: 0, meeting: 'in turns' as const },
    ...ofStep.flatMap(({ index: at, writes }) => {
      const isNew = ofStep[at - 1]?.writes !== writes
      const meetings = [
        'works',
        'works and waits',
        ...(isNew ? ['survives' as const] : []),
      ] as const
      return meetings.map((meeting) => ({ scenario, step, at, meeting }))
    }),
  ])

export const describeTwo = ({ scenario, step, at, meeting }: TwoRuns): string =>
  `${scenario.name}: ${scenario.steps[step]?.name}: two runs at once: at call ${at} the other one ${meeting}`

export async function checkTwo(
  { scenario, step, at, meeting }: TwoRuns,
  undisturbed: Undisturbed,
): Promise<readonly string[]> {
  const world = createMemoryWorld(scenario, 'fresh machines')
  for (const earlier of scenario.steps.slice(0, step)) {
    world.clock.advance(hour)
    await run(world, earlier.happens(world))
  }
  world.clock.advance(hour)
  const trigger = scenario.steps[step]?.happens(world) ?? night.happens(world)
  const calls = undisturbed.points[step] ?? []
  const [one, two] = gatesOf(meeting, at, calls.length)
  const strike = meeting === 'survives' ? ({ at, fault: 'killed before' } as const) : null
  const first = run(world, trigger, { strike, turn: one.turn }).finally(one.ended)
  await Promise.race([one.reached, first])
  const second = run(world, trigger, { turn: two.turn }).finally(two.ended)
  await Promise.race([two.reached, second])
  one.open()
  const dead = await first
  two.open()
  const ends = [dead, await second]
  const wrong = ends.flatMap(({ error }) => (isBug(error) ? [`a bug: ${error.stack}`] : []))
  wrong.push(...(await passNights(world)))
  wrong.push(...compareEnds(undisturbed.ends[step] ?? {}, await endOf(world)))
  const asked = world.paid.length - (undisturbed.paid[step] ?? 0)
  const point = dead.process.points[at]
  const lost =
    strike === null || point === undefined ? 0 : mayPayAgain(point, strike.fault, dead.process)
  if (asked < 0 || asked > lost) wrong.push(`the model was asked ${asked} times too often`)
  return [...wrong, ...(await checkLeases(world))]
}

/** A process waits there until it may go on. */
interface Gate {
  readonly turn: (index: number) => Promise<void>
  /** It came there. */
  readonly reached: Promise<void>
  open(): void
  ended(): void
}

function gateAt(at: number): Gate {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  return {
    async turn(index) {
      if (index < at) return
      reached.resolve()
      await opened.promise
    },
    reached: reached.promise,
    open: opened.resolve,
    ended: () => {},
  }
}

function gatesOf(meeting: Meeting, at: number, calls: number): readonly [Gate, Gate] {
  if (meeting === 'in turns') return inTurns()
  const never = Number.POSITIVE_INFINITY
  // Somewhere, and always there.
  return [gateAt(at), gateAt(meeting === 'works and waits' ? (at * 7919) % calls : never)]
}

/** Neither is ever more than a call ahead of the other, while both go on. */
function inTurns(): readonly [Gate, Gate] {
  const made = [0, 0]
  let waiting: (() => void)[] = []
  const wake = (): void => {
    for (const each of waiting) each()
    waiting = []
  }
  const gateOf = (own: 0 | 1): Gate => ({
    async turn() {
      made[own] = (made[own] ?? 0) + 1
      wake()
      while ((made[own] ?? 0) > (made[1 - own] ?? 0) + 1) {
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    reached: Promise.resolve(),
    open: () => {},
    ended() {
      made[own] = Number.POSITIVE_INFINITY
      wake()
    },
  })
  return [gateOf(0), gateOf(1)]
}
