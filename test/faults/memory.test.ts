import { afterAll, describe, expect, it } from 'vitest'
import { choose } from './choose-cases.ts'
import { casesOf, check, describeCase, playUndisturbed } from './memory-cases.ts'
import { scenarios } from './scenarios.ts'
import { createTally } from './tally.ts'

const tally = createTally()
afterAll(() => console.log(tally.show('What went wrong in memory, of all that can')))

/** Of each scenario; all of them are `npm run test:faults`. */
const sample = 45

describe.each(scenarios)('$name', (scenario) => {
  it('comes to the same end, whatever goes wrong once', async () => {
    const undisturbed = await playUndisturbed(scenario)
    const all = casesOf(scenario, undisturbed)
    const chosen = choose(all, sample, 12, ({ fault, point }) => `${fault} ${point.call}`)
    const wrong: Record<string, readonly string[]> = {}
    for (const each of chosen) {
      tally.count('played', each.fault)
      const found = await check(each, undisturbed)
      if (found.length > 0) wrong[describeCase(each)] = found
    }
    expect(wrong).toEqual({})
    expect(chosen).toHaveLength(sample)
  })
})
