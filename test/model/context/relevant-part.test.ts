import { describe, expect, it } from 'vitest'
import { relevantPart } from '../../../src/model/context/relevant-part.ts'

const longFile = Array.from(
  { length: 50 },
  (_, n) =>
    `/** Adds ${n} to the value. */\nexport function add${n}(value) {\n  return value + ${n}\n}\n`,
).join('\n')

describe('the relevant part of a file', () => {
  it('is the whole of a short one', () => {
    expect(relevantPart('a.js', 'short\n', 7, '')).toEqual({
      path: 'a.js',
      text: 'short\n',
      whole: true,
    })
  })

  it.each([
    ['the line a trace names', 121, '', 'add24('],
    ['what only the failing line calls', null, 'the value: assert.equal(add31(1), 32)', 'add31('],
    ['the top, where nothing points anywhere', null, 'ünrelated', 'add0('],
  ])('is around %s', (_, line, hint, expected) => {
    const shown = relevantPart('a.js', longFile, line, hint)
    expect(shown.whole).toBe(false)
    expect(shown.text).toContain(expected)
    expect(longFile).toContain(shown.text)
    expect(shown.text.split('\n').length).toBeLessThanOrEqual(25)
  })
})
