/** All of the harness, in parts that can be played side by side. */
import { checkOrder, orders, playOrder } from './any-order.ts'
import { casesOfDamage, checkDamage, describeDamage } from './damaged-refs.ts'
import { checkCutState, checkLock, checkTornJournal } from './disk-cases.ts'
import { checkEffect, describeEffect, effectCases } from './effect-cases.ts'
import { casesOfCalls, checkCall, describeCall, openCallWorld } from './github-calls.ts'
import { casesOf, check, describeCase, distinct, playUndisturbed } from './memory-cases.ts'
import type { Machines } from './memory-world.ts'
import { checkPoison } from './poison.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import {
  checkForeignCommit,
  checkForeignMarker,
  checkForeignPull,
  checkForeignState,
} from './strangers.ts'
import { createTally, type Tally } from './tally.ts'
import { casesOfTwo, checkTwo, describeTwo } from './two-runs.ts'

type Play = (tally: Tally) => Promise<void>

const progress = 500

function note(tally: Tally, level: string, fault: string, what: string, wrong: readonly string[]) {
  tally.count(level, fault)
  if (wrong.length > 0) tally.fail(`${what}\n    ${wrong.join('\n    ')}`)
  if (tally.total % progress === 0) console.log(`${level}: ${tally.sum}`)
}

const inMemory =
  (scenario: Scenario, machines: Machines): Play =>
  async (tally) => {
    const undisturbed = await playUndisturbed(scenario, machines)
    // The same places on either: those of the refs are on fresh machines alone.
    const places = undisturbed.points.flat().filter(({ call }) => {
      return machines === 'one disk' || call.startsWith('refs.')
    })
    for (const kind of places.flatMap(({ effects }) => effects)) tally.place(kind)
    for (const each of distinct(casesOf(scenario, undisturbed))) {
      const wrong = await check(each, undisturbed)
      note(tally, `in memory, ${machines}`, each.fault, describeCase(each), wrong)
    }
  }

const twoAtOnce =
  (scenario: Scenario): Play =>
  async (tally) => {
    const undisturbed = await playUndisturbed(scenario, 'fresh machines')
    for (const each of casesOfTwo(scenario, undisturbed)) {
      const wrong = await checkTwo(each, undisturbed)
      note(tally, 'two runs at once', `the other ${each.meeting}`, describeTwo(each), wrong)
    }
  }

const damaged: Play = async (tally) => {
  for (const scenario of scenarios) {
    const undisturbed = await playUndisturbed(scenario, 'fresh machines')
    for (const each of await casesOfDamage(scenario, undisturbed, 4)) {
      const wrong = await checkDamage(each, undisturbed)
      note(tally, 'a damaged ref', each.damage, describeDamage(each), wrong)
    }
  }
}

const inAnyOrder: Play = async (tally) => {
  const [first = []] = orders
  const expected = await playOrder(first)
  for (const order of orders) {
    const wrong = await checkOrder(order, expected)
    note(tally, 'five events', 'in any order', `five events in the order ${order}`, wrong)
  }
}

const outside: Play = async (tally) => {
  for (const each of effectCases) {
    note(tally, 'effects', `seen late: ${each.lag}`, describeEffect(each), await checkEffect(each))
  }
  await using world = await openCallWorld()
  for (const each of await casesOfCalls(world)) {
    const { fault, operation, at } = each
    for (const kind of at === 0 ? operation.effects : []) tally.place(`${kind} (requests)`)
    note(tally, 'requests to GitHub', fault, describeCall(each), await checkCall(each, world))
  }
  const others = {
    'a foreign marker': () => checkForeignMarker(world),
    'a foreign pull request': () => checkForeignPull(world),
    'a foreign commit': () => checkForeignCommit(world),
    'a state that another machine pushed': () => checkForeignState(world),
    'a state cut at every byte': () => checkCutState(1),
    'a torn line': checkTornJournal,
    'a held lock': checkLock,
    'a task that kills every run': checkPoison,
  }
  for (const [name, play] of Object.entries(others))
    note(tally, 'one by one', name, name, await play())
}

/** Those that take longest come first. */
const parts: Readonly<Record<string, Play>> = {
  ...Object.fromEntries(
    scenarios.flatMap((scenario) => [
      [`two at once: ${scenario.name}`, twoAtOnce(scenario)],
      [`one disk: ${scenario.name}`, inMemory(scenario, 'one disk')],
      [`fresh machines: ${scenario.name}`, inMemory(scenario, 'fresh machines')],
    ]),
  ),
  outside,
  'damaged refs': damaged,
  'any order': inAnyOrder,
}

export const partNames: readonly string[] = Object.keys(parts)

/** @throws Error when there is no such part */
export async function playWhole(name: string): Promise<Tally> {
  const play = parts[name]
  if (play === undefined) throw new Error(`There is no part "${name}".`)
  const tally = createTally()
  await play(tally)
  return tally
}
