import { expect, test } from 'vitest'
import { scoreDestructive } from '../../scores/destructive.ts'
import { missed } from '../../scores/score.ts'

test('every destructive operation is found, and nothing else, in a sample of what is installed', async ({
  task,
}) => {
  const score = await scoreDestructive({ most: 120 })
  expect(missed(score)).toEqual([])
  const cases = (kind: string) =>
    score.rows
      .filter(({ label }) => label.endsWith(kind))
      .reduce((sum, { cases: count }) => sum + count, 0)
  expect(cases('destructive')).toBeGreaterThanOrEqual(300)
  expect(cases('harmless')).toBeGreaterThanOrEqual(250)
  expect(cases('published files')).toBeGreaterThan(120)
  task.file.meta.cases = {
    'texts with operations': cases('destructive'),
    'look-alikes': cases('harmless'),
  }
})
