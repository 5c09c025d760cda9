import { globSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { planParts, readBudget, readCounts, showEnd } from '../../scripts/plan-parts.ts'
import { everyDay, nightly, tiers } from '../tiers.ts'

const project = join(import.meta.dirname, '../..')

test('each test file is in one tier', () => {
  const files = globSync(['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'], { cwd: project })
  expect(files.length).toBeGreaterThan(300)
  const isIn = (file: string, patterns: readonly string[]) =>
    patterns.some((pattern) => matchesGlob(file, pattern))
  const found = files.map((file) => [
    file,
    tiers.filter(({ include, exclude }) => isIn(file, include) && !isIn(file, exclude)).length,
  ])
  expect(found.filter(([, count]) => count !== 1)).toEqual([])
  expect(tiers.map(({ name }) => name)).toEqual([...everyDay, ...nightly])
})

test('each pattern of a tier matches a test file', () => {
  const patterns = tiers.flatMap(({ include }) => include)
  const files = (pattern: string) =>
    globSync(pattern, { cwd: project }).filter((path) => path.endsWith('.test.ts'))
  expect(patterns.filter((pattern) => files(pattern).length === 0)).toEqual([])
})

describe('the parts of all tests', () => {
  it.each([
    [undefined, null],
    ['90s', 90],
    ['40m', 2400],
    ['1.5h', 5400],
    ['40', 'invalid'],
    ['-3m', 'invalid'],
    ['', 'invalid'],
  ])('reads a budget of %j as %j', (text, budget) => {
    expect(readBudget(text)).toBe(budget)
  })

  it('says before it starts what it will play and how long that took', () => {
    const seconds = new Map([
      ['tests', 190],
      ['kills', null],
    ])
    expect(planParts(seconds, 2400)).toBe(
      '2 parts, about 3 min 10 s, in at most 40 min 0 s:\n  tests        3 min 10 s\n  kills        not timed yet',
    )
  })

  it.each([
    ['a report', '{"numPassedTests": 3, "numFailedTests": 1}', '', { passed: 3, failed: 1 }],
    ['the last sum', null, '500 cases, 2 wrong\n718 cases, 3 wrong\n', { passed: 715, failed: 3 }],
    ['nothing', null, 'killed', { passed: 0, failed: 0 }],
  ])('counts %s', (_, report, printed, counts) => {
    expect(readCounts(report, printed)).toEqual(counts)
  })

  it('names what the budget left out, and ends with one line', () => {
    const end = showEnd([
      { name: 'tests', status: 'good', seconds: 190, passed: 7000, failed: 0 },
      { name: 'cli', status: 'cut off', seconds: 30, passed: 12, failed: 0 },
      { name: 'kills', status: 'not played', seconds: 0, passed: 0, failed: 0 },
    ])
    expect(end.split('\n').slice(-2)).toEqual([
      'Left out: npm run test:full -- cli kills',
      '7012 passed, 0 failed',
    ])
  })
})
