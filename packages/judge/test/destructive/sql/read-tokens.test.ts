import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../../test/property-runs.ts'
import { readSqlTokens } from '../../../destructive/sql/read-tokens.ts'

describe('tokens of SQL', () => {
  it.each<[string, readonly string[]]>([
    ['drop table t;', ['DROP', 'TABLE', 'T', ';']],
    ['a -- b\nc', ['A', 'C']],
    ['a /* b */ c', ['A', 'C']],
    ["'a ''b'' c' d", ["a 'b' c", 'D']],
    ["'it\\'s', x", ["it\\'s", ',', 'X']],
    ["'C:\\', x", ['C:\\', ',', 'X']],
    ['"a b" `c` [d e]', ['a b', 'c', 'd e']],
    ['$$ a; b $$ c', [' a; b ', 'C']],
    ['$x$ $$ $x$', [' $$ ']],
    ['/*!40000 a */ b', ['A', 'B']],
    ['# a\nb', ['B']],
    ["'open", ['open']],
  ])('%j', (text, expected) => {
    expect(readSqlTokens(text).map((token) => token.text)).toEqual(expected)
  })

  it('are in order and inside the text, for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab \n\'"`$-/*#;()[]\\'), maxLength: 80 }),
        (text) => {
          let last = 0
          for (const { start, end } of readSqlTokens(text)) {
            expect(start).toBeGreaterThanOrEqual(last)
            expect(end).toBeGreaterThan(start)
            last = end
          }
          expect(last).toBeLessThanOrEqual(text.length)
        },
      ),
      { numRuns: runs(2_000) },
    )
  })
})
