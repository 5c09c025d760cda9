import { describe, expect, it } from 'vitest'
import type { InstallationPace, PaceLimit } from '../../src/core/ports/pace.ts'

export const limits: readonly PaceLimit[] = [
  { most: 1, seconds: 100 },
  { most: 3, seconds: 1000 },
  { most: 5, seconds: 90_000 },
]

/** Two processes that book for the same installations; waits may be shorter by the seconds that the test took. */
type Use = (
  test: (one: InstallationPace, other: InstallationPace) => Promise<void>,
) => Promise<void>

const patient = 1e9
const near = (seconds: number) => ({
  asymmetricMatch: (wait: unknown) => Math.abs(Number(wait) - seconds) < 60,
})

export function testPaceContract(name: string, use: Use): void {
  describe(`the pace ${name}`, () => {
    it('books the earliest time that every limit allows, over both processes', () =>
      use(async (one, other) => {
        const waits: number[] = []
        for (const pace of [one, other, other, one, one, other, one])
          waits.push(await pace(7)(patient))
        expect(waits).toEqual([0, 100, 200, 1000, 1100, 90_000, 90_100].map(near))
      }))

    it('counts each installation by itself', () =>
      use(async (one, other) => {
        await one(7)(patient)
        expect(await other(8)(patient)).toBeLessThan(60)
        expect(await other(7)(patient)).toEqual(near(100))
      }))

    it('books nothing for someone who does not wait that long', () =>
      use(async (one, other) => {
        await one(7)(patient)
        expect(await one(7)(3)).toEqual(near(100))
        expect(await other(7)(3)).toEqual(near(100))
        expect(await other(7)(patient)).toEqual(near(100))
        expect(await one(7)(patient)).toEqual(near(200))
      }))
  })
}
