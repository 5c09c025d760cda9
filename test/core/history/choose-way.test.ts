import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RouteRecord, ShapeFigures, TaskSize } from '../../../src/core/domain/route.ts'
import { chooseWay } from '../../../src/core/history/choose-way.ts'

const size = (shape: TaskSize['shape'], complexity: TaskSize['complexity'] = 'low'): TaskSize => ({
  shape,
  complexity,
})

const figures = (
  way: string,
  [served, failed]: readonly [number, number],
  tokensEach: number,
  shape: TaskSize['shape'] = 'one_file',
): ShapeFigures => ({
  ...{ shape, way, served, failed, executions: served + failed },
  tokens: tokensEach * (served + failed),
})

const misroute = (cases: number, better = 'tools') =>
  [{ shape: 'one_file', way: 'single', better, cases }] as const

type Record = Pick<RouteRecord, 'figures' | 'misroutes'>

const none: Record = { figures: [], misroutes: [] }

describe('a task without a history', () => {
  it.each<[TaskSize, boolean, string, string]>([
    [size('no_file'), false, 'tools', 'it names no file'],
    [size('one_file'), false, 'single', 'it names its file'],
    [size('few_files', 'medium'), false, 'single', 'it names its files'],
    [size('few_words'), false, 'single', 'it says little beside its files'],
    [size('many_files', 'high'), false, 'two_phase', 'it names 5 files or more'],
    [size('one_file', 'high'), false, 'two_phase', 'its complexity is high'],
    [size('one_file'), true, 'tools', 'an earlier attempt at it failed'],
  ])('%j, failed before: %s: %s', (of, hasFailed, way, reason) => {
    expect(chooseWay(of, hasFailed, none)).toEqual({ way, reason })
  })
})

describe('the history', () => {
  const bad = figures('single', [1, 11], 6_800)
  const good = figures('tools', [7, 5], 42_000)
  it.each<[string, Record, string]>([
    ['of a way that seldom serves', { figures: [bad, good], misroutes: misroute(5) }, 'tools'],
    ['with four misroutes', { figures: [bad, good], misroutes: misroute(4) }, 'single'],
    [
      'with nine samples',
      { figures: [figures('single', [1, 8], 6_800), good], misroutes: misroute(5) },
      'single',
    ],
    [
      'with nine samples of the other',
      { figures: [bad, figures('tools', [9, 0], 42_000)], misroutes: misroute(5) },
      'single',
    ],
    [
      'of a way that serves too seldom to try first',
      { figures: [figures('single', [5, 15], 6_800), good], misroutes: misroute(9) },
      'tools',
    ],
    [
      'of a way that may serve half of them, after all',
      { figures: [figures('single', [4, 8], 6_800), good], misroutes: misroute(9) },
      'single',
    ],
    [
      'of a way whose first tries save a fifth',
      { figures: [figures('single', [24, 42], 6_800), good], misroutes: misroute(9) },
      'single',
    ],
    [
      'of tasks with another shape',
      {
        figures: [bad, good].map((each) => ({ ...each, shape: 'few_files' as const })),
        misroutes: misroute(5),
      },
      'single',
    ],
    [
      'of a plan that serves at the same cost',
      { figures: [bad, figures('two_phase', [11, 1], 7_200)], misroutes: misroute(5, 'two_phase') },
      'two_phase',
    ],
    [
      'of a way that nobody knows',
      { figures: [bad, figures('agents', [12, 0], 100)], misroutes: misroute(5, 'agents') },
      'single',
    ],
  ])('%s', (_, record, way) => {
    expect(chooseWay(size('one_file'), false, record).way).toBe(way)
  })

  it('says the figures that it went by', () => {
    const record = { figures: [bad, good], misroutes: misroute(5) }
    expect(chooseWay(size('one_file'), false, record).reason).toBe(
      'of such tasks single served 1 of 12, tools 7 of 12',
    )
  })

  it('saves tools where a cheaper way is as good', () => {
    const record: Record = {
      figures: [
        figures('tools', [20, 0], 42_000, 'no_file'),
        figures('single', [60, 0], 6_800, 'no_file'),
      ],
      misroutes: [],
    }
    expect(chooseWay(size('no_file'), false, record).way).toBe('single')
  })
})

it('always chooses one of the three ways, whatever is in the history', () => {
  const count = fc.oneof(fc.nat(100), fc.constantFrom(Number.NaN, -1, 1e300))
  const row = fc
    .tuple(fc.constantFrom('single', 'two_phase', 'tools', '', '__proto__'), count, count, count)
    .map(([strategy, served, failed, each]) => figures(strategy, [served, failed], each))
  fc.assert(
    fc.property(fc.array(row), count, (rows, cases) => {
      const { way, reason } = chooseWay(size('one_file'), false, {
        figures: rows,
        misroutes: misroute(cases),
      })
      expect(['single', 'two_phase', 'tools']).toContain(way)
      expect(reason).not.toBe('')
    }),
  )
})
