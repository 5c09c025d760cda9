import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addUsage, noUsage, shareOf, shareUsage } from '../../../src/core/domain/usage.ts'

const many = fc.integer({ min: 1, max: 8 })
const tokens = fc.nat(10_000_000)
const dollars = fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 1_000, noNaN: true }))

it('shares what a group cost so that the shares add up to it, to the last token and bit', () => {
  fc.assert(
    fc.property(
      many,
      tokens,
      tokens,
      dollars,
      fc.nat(9),
      (count, prompt, answer, cost, requests) => {
        const whole = { requests, promptTokens: prompt, completionTokens: answer, dollars: cost }
        const shares = Array.from({ length: count }, (_, index) => shareUsage(whole, count, index))
        expect(shares.reduce(addUsage, noUsage)).toEqual(whole)
        for (const share of shares) {
          expect(Number.isInteger(share.promptTokens)).toBe(true)
          expect(share.dollars).toBeGreaterThanOrEqual(0)
          expect(Math.abs(share.dollars - cost / count)).toBeLessThanOrEqual(1)
        }
      },
    ),
  )
})

it.each([
  [7, 3, [3, 2, 2]],
  [1, 3, [1, 0, 0]],
  [0.5, 2, [0.25, 0.25]],
])('shares %d among %d', (total, count, expected) => {
  const shares = Array.from({ length: count }, (_, index) => shareOf(total, count, index))
  expect(shares).toEqual(expected)
})
