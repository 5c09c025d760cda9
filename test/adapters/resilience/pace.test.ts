import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPace } from '../../../src/adapters/resilience/pace.ts'
import type { InstallationPace } from '../../../src/core/ports/pace.ts'
import { limits, testPaceContract } from '../../contracts/pace.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'

testPaceContract('of one process', async (test) => {
  const paces = [7, 8].map((installation) => ({
    installation,
    pace: createPace(createFakeClock(), limits),
  }))
  const find: InstallationPace = (installation) =>
    paces.find((one) => one.installation === installation)?.pace ?? (() => Promise.reject())
  await test(find, find)
})

it('never lets more through in any window than it may, and nobody wait for nothing', async () => {
  const limits = [
    { most: 3, seconds: 5 },
    { most: 8, seconds: 60 },
  ]
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 40 }), async (gaps) => {
      const clock = createFakeClock()
      const next = createPace(clock, limits)
      const times: number[] = []
      for (const gap of gaps) {
        clock.advance(gap)
        const wait = await next(1e9)
        const time = clock.monotonic() + wait
        const within = ({ seconds }: { seconds: number }, at: number) =>
          times.filter((one) => one > at - seconds).length
        expect(limits.every((limit) => within(limit, time) < limit.most)).toBe(true)
        if (wait > 0) {
          expect(limits.some((limit) => within(limit, time - 0.5) >= limit.most)).toBe(true)
        }
        times.push(time)
        clock.advance(wait)
      }
    }),
  )
})
