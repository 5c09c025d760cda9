import { expect, test } from 'vitest'
import { countRow, type Score } from '../../scores/score.ts'
import { alignTable, writeTable } from '../../scores/table.ts'

const strict = { minRight: 1, maxWrong: 0 }
const scores: readonly Score[] = [
  {
    name: 'scripts',
    seconds: 1,
    rows: [
      countRow('a | b', ['right', 'right', 'right'], { minRight: 664 / 668, maxWrong: 4 / 668 }),
      countRow('c', ['right', 'wrong', 'refused'], strict),
    ],
  },
  {
    name: 'many',
    seconds: 2,
    rows: [
      countRow(
        'd',
        Array.from({ length: 1234 }, () => 'right' as const),
        strict,
      ),
    ],
  },
]

test('the table of the document has every row with its bound', () => {
  expect(writeTable(scores).split('\n')).toEqual([
    '| Set | Cases | Right | Refused | Wrong | Bound |  |',
    '| --- | ---: | ---: | ---: | ---: | --- | --- |',
    '| a \\| b | 3 | 3 | 0 | 0 | ≥ 99.4 % right, ≤ 0.6 % wrong | met |',
    '| c | 3 | 1 | 1 | 1 | ≥ 100 % right, ≤ 0 % wrong | **MISSED** |',
    '| d | 1,234 | 1,234 | 0 | 0 | ≥ 100 % right, ≤ 0 % wrong | met |',
  ])
})

test('in a terminal the columns are aligned', () => {
  const lines = alignTable(scores).split('\n')
  expect(lines[1]).toBe('a | b      3      3        0      0  ≥ 99.4 % right, ≤ 0.6 % wrong  met')
  expect(lines[3]).toBe('d      1,234  1,234        0      0  ≥ 100 % right, ≤ 0 % wrong     met')
  expect(lines[2]).toContain('MISSED')
  expect(lines.join('')).not.toContain('**')
})

test('a bound below all is not shown as all', () => {
  const nearly = countRow('e', ['right'], { minRight: 99_999 / 100_000, maxWrong: 1 / 100_000 })
  expect(writeTable([{ name: 'e', seconds: 0, rows: [nearly] }])).toContain(
    '≥ 99.99 % right, ≤ 0.01 % wrong',
  )
})
