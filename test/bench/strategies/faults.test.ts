import { describe, expect, test } from 'vitest'
import {
  addedLines,
  drawLuck,
  healing,
  profiles,
  withSlip,
  withSyntaxError,
} from '../../../bench/strategies/faults.ts'
import { withFormFault } from '../../../bench/strategies/form-faults.ts'

const draws = 2_000
const tolerance = 0.03

describe('faults are drawn at the published rates', () => {
  test.each(profiles.map((profile) => [profile.name, profile] as const))('%s', (_, profile) => {
    const lucks = Array.from({ length: draws }, (__, index) =>
      drawLuck(profile, 1, `B-${index}`, 1),
    )
    const share = (count: number) => count / draws
    const right = lucks.filter(({ parts }) => parts[0]?.fault === 'none').length
    const formed = lucks.filter(({ form }) => form('edits') === null).length
    const chance = healing(profile, false)
    const healed = lucks.filter(({ parts }) => (parts[0]?.heal() ?? 1) < chance).length
    const wrong = draws - right
    expect(Math.abs(share(right) - profile.firstTry)).toBeLessThan(tolerance)
    expect(Math.abs(share(formed) - profile.wellFormed.edits)).toBeLessThan(tolerance)
    // Right after one round: those that were, and the healed ones of the rest.
    expect(Math.abs(share(right + (healed * wrong) / draws) - profile.secondTry)).toBeLessThan(
      tolerance,
    )
  })

  test('a reflection adds what is published, and nothing to a weak model', () => {
    const gains = profiles.map((profile) => healing(profile, true) - healing(profile, false))
    expect(gains[0]).toBeCloseTo(0)
    expect(gains[1]).toBeGreaterThan(0)
    expect(gains[1]).toBeLessThan(0.06)
  })

  test('the luck of one purpose does not depend on the draws of another', () => {
    const [profile] = profiles
    if (profile === undefined) throw new Error('There is no profile.')
    const [one, other] = [drawLuck(profile, 7, 'B-1', 2), drawLuck(profile, 7, 'B-1', 2)]
    for (let index = 0; index < 5; index += 1) one.form('edits')
    one.call()
    expect(one.parts[1]?.heal()).toBe(other.parts[1]?.heal())
    expect(one.parts.map(({ fault }) => fault)).toEqual(other.parts.map(({ fault }) => fault))
  })
})

describe('a fault is in the new lines', () => {
  const file = {
    path: 'a.js',
    before: 'one()\n',
    after: 'one()\nif (a === b) {\n  two()\n}\n',
    part: 0,
  }

  test('lines that were there before are not new', () =>
    expect(addedLines(file)).toEqual([1, 2, 3]))

  test('a slip changes its line or leaves it out', () => {
    expect(withSlip(file.after, { line: 1, rule: 0 })).toContain('a !== b')
    expect(withSlip(file.after, { line: 0, rule: 0 })).toBeNull()
    expect(withSlip(file.after, { line: 2, rule: -1 })).toBe('one()\nif (a === b) {\n}\n')
  })

  test('a syntax error lacks the last bracket', () =>
    expect(withSyntaxError(file)).toEqual({ text: 'one()\nif (a === b) {\n  two()\n\n', line: 3 }))
})

test.each([
  ['truncation', 'a/b.js\n```\n<<<<<'],
  ['wrong path', 'a/core/b.js\n```\n'],
  ['drifted edit', 'let someValue = 1'],
] as const)('an answer with the fault %s', (fault, expected) => {
  const answer =
    'a/b.js\n```\n<<<<<<< SEARCH\nlet total = 0\nlet some = 1\n=======\nlet total = 1\n>>>>>>> REPLACE\n```\n'
  expect(withFormFault(answer, fault)).toContain(expected)
  expect(withFormFault(answer, null)).toBe(answer)
})
