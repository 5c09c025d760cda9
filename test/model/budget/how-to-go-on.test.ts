import { expect, test } from 'vitest'
import type { Settings } from '../../../src/core/domain/settings.ts'
import { checkBudget } from '../../../src/model/budget/check-budget.ts'
import { howToGoOn, reachedLimit } from '../../../src/model/budget/run-limits.ts'
import { settingsWith, stateWith } from './spending-state.ts'

type Limits = Partial<Settings['limits']>

test.each<[Limits, string]>([
  [{ tokens: 1 }, '--max-tokens'],
  [{ dollars: 1e-9 }, '--max-cost'],
  [{ tokensPerCall: 1 }, 'limits.tokens-per-call'],
  [{ dollarsPerCall: 1e-9 }, 'limits.cost-per-call'],
  [{ tokensPerTask: 1 }, 'limits.tokens-per-task'],
  [{ dollarsPerTask: 1e-9 }, 'limits.cost-per-task'],
  [{ tokensPerDay: 1 }, 'limits.tokens-per-day'],
  [{ dollarsPerDay: 1e-9 }, 'limits.cost-per-day'],
  [{ minutes: 0 }, 'limits.minutes'],
])('what a request met with %j is raised by %s', (limits, remedy) => {
  const check = checkBudget(stateWith(), settingsWith(limits), { promptTokens: 1000 })
  const said = check.status === 'over_budget' ? [check.limit] : []
  expect(howToGoOn(said)).toBe(`Raise ${remedy}, then run again: it goes on where it stopped.`)
})

test.each<[Limits, string | null]>([
  [{ tokens: 0 }, '--max-tokens'],
  [{ dollars: 0 }, '--max-cost'],
  [{ minutes: 0 }, 'limits.minutes'],
])('what a run met with %j is raised by %s', (limits, remedy) => {
  const reached = reachedLimit(stateWith(), settingsWith(limits))
  expect(howToGoOn(reached?.progress?.limits ?? [])).toContain(`Raise ${remedy},`)
})

test('several are named, and what is no limit of money is not', () => {
  const budget = { tokens: 1, dollars: null }
  const check = checkBudget(stateWith({ budget }), settingsWith(), { promptTokens: 1000 })
  const own = check.status === 'over_budget' ? check.limit : ''
  expect(howToGoOn(['$5 per run (max-cost)', own])).toBe(
    "Raise --max-cost and the task's Budget line, then run again: it goes on where it stopped.",
  )
  expect(howToGoOn(['2 tasks per run (max-tasks)'])).toBeNull()
  expect(howToGoOn([])).toBeNull()
})
