import { afterAll, describe, expect, it } from 'vitest'
import { choose } from './choose-cases.ts'
import { casesOf, check, describeCase, distinct, playUndisturbed } from './memory-cases.ts'
import { scenarios } from './scenarios.ts'
import { createTally } from './tally.ts'

const tally = createTally()
afterAll(() => console.log(tally.show('What went wrong in memory, of all that can')))

/** Of each scenario; all of them are `npm run test:faults`. */
const samples = { 'one disk': 32, 'fresh machines': 13 } as const

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
})
