import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Settings } from '../../../src/core/domain/settings.ts'
import { calibrate, describeBasis, forecastTasks } from '../../../src/model/budget/forecast.ts'
import { aTask } from '../../fakes/facts.ts'
import { settingsWith } from './spending-state.ts'

const past = (...ratios: readonly number[]) =>
  ratios.map((ratio) => ({ tokens: ratio * 1000, forecastTokens: 1000 }))

describe('calibrate', () => {
  test.each([
    [[], 1, 0],
    [[9, 9], 1, 0],
    [[2, 3, 1], 2, 3],
    [[1, 2, 3, 4], 2.5, 4],
    [[2, 2, 2, 1000], 2, 4],
    [[100, 100, 100], 8, 3],
    [[0.01, 0.01, 0.01], 0.25, 3],
    [[0, 0, 0], 1, 0],
  ])('of %j is %d, from %i tasks', (ratios, factor, samples) => {
    expect(calibrate(past(...ratios))).toEqual({ factor, samples })
  })

  it('is a usable number whatever the history holds', () => {
    const figure = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -1, Number.NaN))
    const task = fc.record({ tokens: figure, forecastTokens: figure })
    fc.assert(
      fc.property(fc.array(task), (tasks) => {
        const { factor } = calibrate(tasks)
        expect(factor).toBeGreaterThanOrEqual(0.25)
        expect(factor).toBeLessThanOrEqual(8)
      }),
    )
  })

  it('says where it comes from', () => {
    expect(describeBasis(calibrate(past(1, 1, 1)).samples)).toBe('from 3 past tasks')
    expect(describeBasis(0)).toContain('a guess')
  })
})

describe('forecastTasks', () => {
  const tasks = [aTask({ id: 'T-1', files: ['a.ts'] }), aTask({ id: 'T-2' })]
  const sizes = new Map([['a.ts', 8000]])

  it('sums up, and scales with the history', () => {
    const guess = forecastTasks(tasks, sizes, settingsWith(), [])
    const first = guess.byTask.get('T-1')?.tokens ?? 0
    const second = guess.byTask.get('T-2')?.tokens ?? 0
    expect(first - second).toBeCloseTo(2400, -1)
    expect(guess).toMatchObject({ tokens: first + second, samples: 0 })
    const learned = forecastTasks(tasks, sizes, settingsWith(), past(3, 3, 3))
    expect(learned.tokens / guess.tokens).toBeCloseTo(3, 2)
    expect((learned.dollars ?? 0) / (guess.dollars ?? 1)).toBeCloseTo(3, 2)
  })

  it("prices a task by its own model, and knows no sum where one price isn't known", () => {
    const own = [...tasks, aTask({ id: 'T-3', model: 'who-knows' })]
    const { byTask, dollars } = forecastTasks(own, sizes, settingsWith(), [])
    expect(byTask.get('T-1')?.dollars).toBeGreaterThan(0)
    expect(byTask.get('T-3')?.dollars).toBeNull()
    expect(dollars).toBeNull()
  })

  it('adds what an agent takes for itself, whatever the task', () => {
    const [small, large] = [new Map([['a.ts', 800]]), new Map([['a.ts', 400_000]])]
    const tokensOf = (strategy: Settings['strategy'], bytes: typeof small) =>
      forecastTasks(tasks.slice(0, 1), bytes, { ...settingsWith(), strategy }, []).tokens
    expect(tokensOf('agent', small)).toBeGreaterThan(30 * tokensOf('single', small))
    expect(tokensOf('agent', large)).toBeLessThan(4 * tokensOf('single', large))
  })

  it('of nothing is nothing', () => {
    expect(forecastTasks([], sizes, settingsWith(), [])).toMatchObject({ tokens: 0, dollars: 0 })
  })
})
