import { describe, expect, it } from 'vitest'
import { partFrom, relevantPart, tellingLine } from '../../../src/model/context/relevant-part.ts'

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

describe('the part from quoted lines on', () => {
  it.each([
    ['a short file whole', 'a\nb\n', 'b', 100, { text: 'a\nb\n', whole: true }],
    ['nothing where the lines are not there', longFile, 'add99(', 100, null],
    [
      'a quote of several lines',
      longFile,
      'export function add24(value) {\n  return value',
      90,
      null,
    ],
  ])('is %s', (_, text, quoted, tokens, expected) => {
    const part = partFrom('a.js', text, quoted, tokens)
    expect(part && { text: part.text, whole: part.whole }).toEqual(expected)
  })

  it('starts a little above, and ends where the tokens do', () => {
    const part = partFrom('a.js', longFile, 'export function add24(value) {', 600)
    expect(part).toMatchObject({ path: 'a.js', whole: false })
    expect(longFile).toContain(part?.text)
    expect(part?.text).toContain('add21(')
    expect(part?.text).toContain('add40(')
    expect(part?.text).not.toContain('add49(')
  })

  it('has the quoted lines where those above them are long', () => {
    const text = `${`${'a long line '.repeat(60)}\n`.repeat(30)}export const wanted = 1\n`
    expect(partFrom('a.js', text, 'export const wanted = 1', 600)?.text).toContain('wanted')
  })
})

describe('the telling line of a change', () => {
  const lines = (...numbers: readonly number[]) => new Set(numbers)
  it.each([
    ['with the rarest word of a failure', lines(2, 7, 12), 'add1(1)', 7],
    ['of the longest run, where the failure names nothing', lines(2, 7, 8, 12), 'ünrelated', 7],
    ['of a run of any length', new Set(Array(300_000).keys()), 'ünrelated', 0],
    ['none without changed lines', lines(), 'add1(1)', null],
  ])('is the one %s', (_, changed, hint, expected) => {
    expect(tellingLine(longFile, changed, hint)).toBe(expected)
  })
})
