import { expect, test } from 'vitest'
import { countRow, holds, missed, type ScoreRow, timeScore } from '../../scores/score.ts'

const row = (
  right: number,
  refused: number,
  wrong: number,
  minRight: number,
  maxWrong: number,
): ScoreRow => ({
  label: 'a set',
  cases: right + refused + wrong,
  right,
  refused,
  wrong,
  bound: { minRight, maxWrong },
})

const cases: readonly [name: string, row: ScoreRow, holds: boolean][] = [
  ['all right', row(5, 0, 0, 1, 0), true],
  ['one refused where all must be right', row(4, 1, 0, 1, 0), false],
  ['one refused where one may be', row(4, 1, 0, 4 / 5, 0), true],
  ['one wrong where none may be', row(4, 0, 1, 4 / 5, 0), false],
  ['one wrong where one may be', row(4, 0, 1, 4 / 5, 1 / 5), true],
  ['shares that are no round numbers', row(664, 0, 4, 664 / 668, 4 / 668), true],
  ['one less than such a share', row(663, 1, 4, 664 / 668, 4 / 668), false],
  ['no cases', row(0, 0, 0, 0, 1), false],
  ['a case that was not counted', { ...row(4, 0, 0, 0.5, 0), cases: 5 }, false],
  ['not a number', row(Number.NaN, 0, 0, 0, 1), false],
]

test.each(cases)('%s', (_, scored, expected) => {
  expect(holds(scored)).toBe(expected)
  expect(missed({ name: 'score', rows: [scored] })).toHaveLength(expected ? 0 : 1)
})

test('results are counted, and a row that misses says by how much', () => {
  const counted = countRow('a set', ['right', 'wrong', 'refused', 'right'], {
    minRight: 0.75,
    maxWrong: 0,
  })
  expect(counted).toMatchObject({ cases: 4, right: 2, refused: 1, wrong: 1 })
  expect(missed({ name: 'score', rows: [counted] })).toEqual([
    'score, a set: of 4 cases 2 right, 1 refused, 1 wrong; bound: 3 right, 0 wrong',
  ])
})

test('a score without rows holds no line', async () => {
  const score = await timeScore('empty', async () => [])
  expect(missed(score)).toEqual(['empty: nothing was scored'])
  expect(score.seconds).toBeGreaterThanOrEqual(0)
})
