import { expect, it } from 'vitest'
import { isBefore, secondsBefore, secondsOf } from '../../../src/core/domain/instant.ts'

it.each([
  ['1970-01-01T00:00:10Z', 10],
  ['1970-01-01T00:00:10.500Z', 10.5],
  ['2026-02-28T23:59:59Z', 1772323199],
  ['2026-99-01T00:00:00Z', null],
  ['2026-02-28', null],
  ['2026-02-28T23:59:59+01:00', null],
  ['yesterday', null],
  ['', null],
])('reads %s', (time, seconds) => {
  expect(secondsOf(time)).toBe(seconds)
})

it.each([
  ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z', true],
  ['2026-01-01T00:00:00.999Z', '2026-01-01T00:00:01Z', true],
  ['2026-01-01T00:00:01Z', '2026-01-01T00:00:01.000Z', false],
  ['2026-01-01T00:00:01.100Z', '2026-01-01T00:00:01Z', false],
  ['never', '2026-01-01T00:00:01Z', false],
  ['2026-01-01T00:00:01Z', 'never', false],
])('%s before %s: %s', (time, other, expected) => {
  expect(isBefore(time, other)).toBe(expected)
})

it('goes back over the end of a month, to the second', () => {
  expect(secondsBefore('2026-03-01T00:00:00.250Z', 3600)).toBe('2026-02-28T23:00:00Z')
  expect(secondsBefore('never', 3600)).toBe('never')
})
