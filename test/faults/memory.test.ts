import { afterAll, describe, expect, it } from 'vitest'
import { checkOrder, orders, playOrder } from './any-order.ts'
import { choose } from './choose-cases.ts'
import { casesOfDamage, checkDamage, describeDamage } from './damaged-refs.ts'
import { compareEnds } from './end-state.ts'
import { casesOf, check, describeCase, distinct, playUndisturbed } from './memory-cases.ts'
import { scenarios, sideBySide } from './scenarios.ts'
import { createTally } from './tally.ts'
import { casesOfTwo, checkTwo, describeTwo } from './two-runs.ts'

const tally = createTally()
afterAll(() => console.log(tally.show('What went wrong in memory, of all that can')))

/** Of each scenario; all of them are `npm run test:faults`. */
const samples = { 'one disk': 26, 'fresh machines': 9 } as const
/** Of two runs at once, and of what may be damaged. */
const pairs = 5
const damages = 3

describe.each(scenarios)('$name', (scenario) => {
  it.each(['one disk', 'fresh machines'] as const)(
    'comes to the same end, whatever goes wrong once: %s',
    async (machines) => {
      const undisturbed = await playUndisturbed(scenario, machines)
      const all = distinct(casesOf(scenario, undisturbed))
      const sample = samples[machines]
      const chosen = choose(all, sample, 12, ({ fault, point }) => `${fault} ${point.call}`)
      const wrong: Record<string, readonly string[]> = {}
      for (const each of chosen) {
        tally.count(machines, each.fault)
        const found = await check(each, undisturbed)
        if (found.length > 0) wrong[describeCase(each)] = found
      }
      expect(wrong).toEqual({})
      expect(chosen).toHaveLength(sample)
    },
  )

  it('does nothing twice when two runs meet, or what the repository keeps is damaged', async () => {
    const undisturbed = await playUndisturbed(scenario, 'fresh machines')
    const wrong: Record<string, readonly string[]> = {}
    for (const each of choose(casesOfTwo(scenario, undisturbed), pairs, 7, (one) => one.meeting)) {
      tally.count('two runs at once', `the other ${each.meeting}`)
      const found = await checkTwo(each, undisturbed)
      if (found.length > 0) wrong[describeTwo(each)] = found
    }
    const damaged = await casesOfDamage(scenario, undisturbed, 16)
    for (const each of choose(damaged, damages, 7, ({ place }) => place)) {
      tally.count('damaged in the repository', each.place)
      const found = await checkDamage(each, undisturbed)
      if (found.length > 0) wrong[describeDamage(each)] = found
    }
    expect(wrong).toEqual({})
  })
})

describe.each(sideBySide)('$scenario.name', ({ scenario, apart }) => {
  it('comes to the same end as one task after another, for the same answers', async () => {
    const one = await playUndisturbed(apart, 'fresh machines')
    const three = await playUndisturbed(scenario, 'fresh machines')
    expect(one.ends.flatMap((end, step) => compareEnds(end, three.ends[step] ?? {}))).toEqual([])
    expect(three.paid).toEqual(one.paid)
    expect(three.unkept).toEqual(one.unkept)
  })
})

it('comes to the same end in whatever order five events are told', async () => {
  const [first = []] = orders
  const expected = await playOrder(first)
  expect(expected.wrong).toEqual([])
  expect(orders).toHaveLength(120)
  for (const order of choose(orders, 3, 7)) {
    expect(await checkOrder(order, expected), `${order}`).toEqual([])
  }
})
