/** The harness in small pieces, for showing that each planted bug is met by one of them. */
import { casesOfDamage, checkDamage, describeDamage } from './damaged-refs.ts'
import { checkCutState, checkLock, checkTornJournal } from './disk-cases.ts'
import { checkEffect, describeEffect, effectCases } from './effect-cases.ts'
import { type CallWorld, callFaults, checkCall, openDoors, operations } from './github-calls.ts'
import { checkLocalPublish } from './local-publish.ts'
import { casesOf, check, describeCase, playUndisturbed, type Undisturbed } from './memory-cases.ts'
import type { Machines } from './memory-world.ts'
import { checkPoison } from './poison.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import {
  checkForeignCommit,
  checkForeignMarker,
  checkForeignPull,
  checkForeignState,
} from './strangers.ts'
import { casesOfTwo, checkTwo, describeTwo } from './two-runs.ts'

/** The first thing that is wrong, or `null`; with the number of the case, where there are many. */
export type Found = { readonly words: string; readonly at: number } | null

export interface Focus {
  /** Of memory: the number of the scenario, and what the cases' descriptions say. */
  readonly scenario?: number
  readonly cases?: RegExp
  readonly machines?: Machines
  /** Of those, this one alone. */
  readonly at?: number
  /** Of calls: an operation, a request of it and a fault. */
  readonly call?: readonly [operation: string, at: number, fault: string]
}

/** Cases of one kind that are played before the bug counts as missed. */
const most = 12

const found = (words: string | undefined, at = 0): Found =>
  words === undefined ? null : { words, at }
const first = (wrong: readonly string[]): Found => found(wrong[0])

const undisturbed = new Map<string, Promise<Undisturbed>>()
function undisturbedOf(scenario: Scenario, machines: Machines): Promise<Undisturbed> {
  const key = `${scenario.name} ${machines}`
  const known = undisturbed.get(key) ?? playUndisturbed(scenario, machines)
  undisturbed.set(key, known)
  return known
}

/** One kind of cases in memory: which there are, and how one is played. */
interface Kind<Case> {
  readonly machines: Machines
  readonly all: (scenario: Scenario, undisturbed: Undisturbed) => Promise<readonly Case[]>
  readonly describe: (one: Case) => string
  readonly check: (one: Case, undisturbed: Undisturbed) => Promise<readonly string[]>
}

async function playSome<Case>(kind: Kind<Case>, focus: Focus): Promise<Found> {
  const { scenario = 0, cases = /./, at } = focus
  const given = scenarios[scenario]
  if (given === undefined) throw new Error(`There is no scenario ${scenario}.`)
  const without = await undisturbedOf(given, focus.machines ?? kind.machines)
  const fitting = (await kind.all(given, without)).filter((one) => cases.test(kind.describe(one)))
  if (fitting.length === 0) throw new Error(`No case fits ${cases}.`)
  for (const [number, each] of fitting.slice(0, most).entries()) {
    if (at !== undefined && at !== number) continue
    const [wrong] = await kind.check(each, without)
    if (wrong !== undefined) return found(`${kind.describe(each)}: ${wrong}`, number)
  }
  return null
}

const parts = {
  memory: (focus: Focus) =>
    playSome(
      {
        machines: 'one disk',
        all: async (...given) => casesOf(...given),
        ...{ describe: describeCase, check },
      },
      focus,
    ),
  two: (focus: Focus) =>
    playSome(
      {
        machines: 'fresh machines',
        all: async (...given) => casesOfTwo(...given),
        ...{ describe: describeTwo, check: checkTwo },
      },
      focus,
    ),
  damage: (focus: Focus) =>
    playSome(
      {
        machines: 'fresh machines',
        all: (...given) => casesOfDamage(...given, 16),
        ...{ describe: describeDamage, check: checkDamage },
      },
      focus,
    ),
  async effect(): Promise<Found> {
    for (const each of effectCases) {
      const wrong = await checkEffect(each)
      if (wrong.length > 0) return found(`${describeEffect(each)}: ${wrong[0]}`)
    }
    return null
  },
  async calls({ call }: Focus, world: CallWorld): Promise<Found> {
    const [name, at = 0, fault = ''] = call ?? []
    const operation = operations.find((one) => one.name === name)
    if (operation === undefined || !(fault in callFaults)) throw new Error(`No case is ${call}.`)
    return first(await checkCall({ operation, at, fault }, world))
  },
  cutState: async (): Promise<Found> => first(await checkCutState(397)),
  tornJournal: async (): Promise<Found> => first(await checkTornJournal()),
  lock: async (): Promise<Found> => first(await checkLock()),
  poison: async (): Promise<Found> => first(await checkPoison()),
  async localPublish(): Promise<Found> {
    const found = [
      ...(await checkLocalPublish('lost')),
      ...(await checkLocalPublish('fails')),
      ...(await checkLocalPublish('locked')),
    ]
    return first(found)
  },
  foreignMarker: async (_: Focus, world: CallWorld): Promise<Found> =>
    first(await checkForeignMarker(world)),
  foreignPull: async (_: Focus, world: CallWorld): Promise<Found> =>
    first(await checkForeignPull(world)),
  foreignState: async (_: Focus, world: CallWorld): Promise<Found> =>
    first(await checkForeignState(world)),
  foreignCommit: async (_: Focus, world: CallWorld): Promise<Found> =>
    first(await checkForeignCommit(world)),
}

export type PartName = keyof typeof parts

/** Processes of this harness, and of the sources it was read with, on a world that others opened. */
export const playPart = (part: PartName, focus: Focus, world: CallWorld): Promise<Found> =>
  parts[part](focus, { ...world, start: () => openDoors(world) })
