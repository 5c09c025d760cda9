import { expect, test } from 'vitest'
import type { Row } from '../../bench/row.ts'
import { writeTable } from '../../bench/table.ts'

const cases: readonly [row: Row, cells: string][] = [
  [
    { figure: 'tokens', unit: 'tokens', measured: 1234, limit: 2000, floor: 617 },
    'tokens | ≤ 2,000 tokens | 1,234 tokens | 617 tokens | 2 × | met',
  ],
  [
    { figure: 'start', unit: 'ms', measured: 250.01, limit: 250 },
    'start | ≤ 250 ms | 250 ms |  |  | **MISSED**',
  ],
  [
    { figure: 'wall', unit: '×', measured: 1.4567, limit: 1.5 },
    'wall | ≤ 1.50 × | 1.46 × |  |  | met',
  ],
  [
    { figure: 'broken', unit: '', measured: 0, limit: 0, floor: 0 },
    'broken | ≤ 0 | 0 | 0 |  | met',
  ],
  [{ figure: 'seconds', unit: 's', measured: 12.345 }, 'seconds |  | 12.3 s |  |  | '],
  [{ figure: 'a | b', unit: 'KB', measured: 1234567.8 }, 'a \\| b |  | 1,234,568 KB |  |  | '],
]

test.each(cases)('a row of the table: %o', (row, cells) => {
  expect(writeTable([row]).split('\n').at(-1)).toBe(`| ${cells} |`)
})

test('a failed measurement never counts as met', () => {
  const row: Row = { figure: 'start', unit: 'ms', measured: Number.NaN, limit: 250 }
  expect(writeTable([row])).toContain('**MISSED**')
})
