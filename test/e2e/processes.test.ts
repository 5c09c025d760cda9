import { afterAll, expect, it } from 'vitest'
import { playCourses, playProcessCases, processCasesOf, sampleOf } from '../faults/process-cases.ts'
import { createTally } from '../faults/tally.ts'

const tally = createTally()
afterAll(() => console.log(tally.show('What went wrong with whole processes, of all that can')))

/** All of them are `npm run test:faults`. */
const sample = 5

it('comes to the same end, whatever kills the process or its git', async () => {
  const all = processCasesOf(await playCourses(1))
  const wrong: Record<string, readonly string[]> = {}
  await playProcessCases(sampleOf(all, sample), ({ level, fault, name }, found) => {
    tally.count(level, fault)
    if (found.length > 0) wrong[name] = found
  })
  expect(wrong).toEqual({})
  expect(tally.total).toBe(sample)
}, 300_000)
