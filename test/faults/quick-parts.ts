/** The harness in small pieces, for showing that each planted bug is met by one of them. */
import { checkCutState, checkLock, checkTornJournal } from './disk-cases.ts'
import { checkEffect, describeEffect, effectCases } from './effect-cases.ts'
import { type CallWorld, callFaults, checkCall, openDoors, operations } from './github-calls.ts'
import { checkLocalPublish } from './local-publish.ts'
import { casesOf, check, describeCase, playUndisturbed } from './memory-cases.ts'
import { checkPoison } from './poison.ts'
import { scenarios } from './scenarios.ts'
import { checkForeignCommit, checkForeignMarker, checkForeignPull } from './strangers.ts'

/** The first thing that is wrong, or `null`. */
type Found = string | null

export interface Focus {
  /** Of memory: the number of the scenario, and what the cases' descriptions say. */
  readonly scenario?: number
  readonly cases?: RegExp
  /** Of calls: an operation, a request of it and a fault. */
  readonly call?: readonly [operation: string, at: number, fault: string]
}

/** Cases of one kind that are played before the bug counts as missed. */
const most = 12

const first = (wrong: readonly string[]): Found => wrong[0] ?? null

const parts = {
  async memory({ scenario = 0, cases = /./ }: Focus): Promise<Found> {
    const given = scenarios[scenario]
    if (given === undefined) throw new Error(`There is no scenario ${scenario}.`)
    const undisturbed = await playUndisturbed(given)
    const fitting = casesOf(given, undisturbed).filter((one) => cases.test(describeCase(one)))
    if (fitting.length === 0) throw new Error(`No case fits ${cases}.`)
    for (const each of fitting.slice(0, most)) {
      const wrong = await check(each, undisturbed)
      if (wrong.length > 0) return `${describeCase(each)}: ${wrong[0]}`
    }
    return null
  },
  async effect(): Promise<Found> {
    for (const each of effectCases) {
      const wrong = await checkEffect(each)
      if (wrong.length > 0) return `${describeEffect(each)}: ${wrong[0]}`
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
  foreignCommit: async (_: Focus, world: CallWorld): Promise<Found> =>
    first(await checkForeignCommit(world)),
}

export type PartName = keyof typeof parts

/** Processes of this harness, and of the sources it was read with, on a world that others opened. */
export const playPart = (part: PartName, focus: Focus, world: CallWorld): Promise<Found> =>
  parts[part](focus, { ...world, start: () => openDoors(world.bench) })
