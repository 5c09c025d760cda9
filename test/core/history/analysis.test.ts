import { describe, expect, it } from 'vitest'
import {
  judgeMisroutes,
  judgeRoutes,
  type MisrouteGroup,
} from '../../../src/core/history/routing.ts'
import { type RouteFigures, wilsonInterval } from '../../../src/core/history/statistics.ts'

describe('the interval of a rate', () => {
  // Agresti and Coull 1998, and R's prop.test(x, n, correct = FALSE).
  it.each([
    [0, 10, 0, 0.2775],
    [5, 10, 0.2366, 0.7634],
    [10, 10, 0.7225, 1],
    [81, 263, 0.2553, 0.3662],
  ])('%i of %i lies between %f and %f', (successes, samples, low, high) => {
    const interval = wilsonInterval(successes, samples)
    expect(interval?.low).toBeCloseTo(low, 4)
    expect(interval?.high).toBeCloseTo(high, 4)
  })

  it('is none without a sample', () => {
    expect(wilsonInterval(0, 0)).toBeNull()
  })
})

const group = (cases: number, kind: MisrouteGroup['kind'] = 'needed_a_plan'): MisrouteGroup => ({
  ...{ kind, cases, of: 20, examples: [] },
  route: { model: 'm', strategy: 'single' },
  better: { model: 'm', strategy: 'two_phase' },
})

it('shows a misroute from five cases of one route, and counts the others', () => {
  const groups = [group(5), group(4), group(0), group(9, 'other_route_served')]
  const { shown, tooFew } = judgeMisroutes(groups)
  expect(shown.map(({ cases }) => cases)).toEqual([9, 5])
  expect(tooFew).toBe(4)
})

function route(strategy: string, served: number, failed: number, more: Partial<RouteFigures> = {}) {
  const executions = served + failed
  return {
    ...{ name: strategy, model: 'm', strategy, executions, served, failed },
    successRate: executions > 0 ? served / executions : null,
    ...{ requests: executions, tokens: executions * 1000, dollars: 0, medianTokens: 1000 },
    ...{ secondsP50: null, secondsP90: null },
    confidence: wilsonInterval(served, executions),
    byComplexity: [{ complexity: '', served, failed }],
    ...more,
  }
}

const configured = { model: 'm', strategy: 'single' }

describe('advice about routes', () => {
  it.each<[string, readonly RouteFigures[], RegExp]>([
    ['the route was not taken yet', [route('two_phase', 50, 0)], /has 0 judged executions/],
    ['it has nine', [route('single', 1, 8), route('two_phase', 50, 0)], /has 9 judged/],
    ['the other has nine', [route('single', 5, 20), route('two_phase', 9, 0)], /No other route/],
    [
      'chance could have made the difference',
      [route('single', 6, 4), route('two_phase', 8, 2)],
      /by more than chance/,
    ],
    [
      'it is cheaper and may be worse',
      [route('single', 95, 5), route('two_phase', 8, 2, { medianTokens: 10 })],
      /by more than chance/,
    ],
  ])('is none while %s', (_, routes, silence) => {
    const judgement = judgeRoutes(configured, routes)
    expect(judgement.advice).toEqual([])
    expect(judgement.silence).toMatch(silence)
  })

  it('names the route that serves more, with both rates and the lines for the configuration', () => {
    const routes = [route('single', 5, 20), route('two_phase', 20, 2, { model: 'a "b"\nc: d' })]
    expect(judgeRoutes(configured, routes)).toMatchObject({
      silence: null,
      advice: [
        {
          why: 'serves_more',
          evidence: 'serves 20 of 22 (91 %, 72–97 %), the configured one 5 of 25 (20 %, 9–39 %)',
          config: 'model: "a \\"b\\"\\nc: d"\nstrategy: two_phase',
        },
      ],
    })
  })

  it('names the route that is as good and costs less', () => {
    const cheap = route('two_phase', 190, 10, { medianTokens: 400 })
    const { advice } = judgeRoutes(configured, [route('single', 95, 5), cheap])
    expect(advice).toMatchObject([
      { why: 'costs_less', evidence: expect.stringContaining('for 40 % of the cost') },
    ])
  })
})

describe('advice about routes that get unlike tasks', () => {
  const of = (strategy: string, ...rows: readonly (readonly [string, number, number])[]) => {
    const sum = (at: 1 | 2) => rows.reduce((total, row) => total + row[at], 0)
    const byComplexity = rows.map(([complexity, served, failed]) => ({
      complexity,
      served,
      failed,
    }))
    return route(strategy, sum(1), sum(2), { byComplexity })
  }
  const hard = of('single', ['low', 40, 10], ['high', 20, 80])

  it.each<[string, RouteFigures, number]>([
    ['has only the easy ones, and is no better at them', of('two_phase', ['low', 80, 20]), 0],
    ['has mostly easy ones', of('two_phase', ['low', 160, 40], ['high', 4, 16]), 0],
    ['has none that are alike', of('two_phase', ['medium', 100, 0]), 0],
    ['has nine that are alike', of('two_phase', ['medium', 100, 0], ['low', 9, 0]), 0],
    ['is better at the hard ones', of('two_phase', ['low', 40, 10], ['high', 90, 10]), 1],
  ])('one that %s', (_, other, many) => {
    expect(judgeRoutes(configured, [hard, other]).advice).toHaveLength(many)
  })
})
