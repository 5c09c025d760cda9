import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/statistics.ts'
import type { FirstAnswers, Refinement } from '../../../src/core/domain/route.ts'
import { chooseRefinement, judgeRefinements } from '../../../src/core/history/refine.ts'

const shape = 'one_file'

/** First answers that failed with this error, or passed. */
const answers = (
  [first, samples]: readonly [number, number],
  facts: Partial<FirstAnswers> = {},
): FirstAnswers => ({
  ...{ shape, refinement: '', context: 'under 1,000 tokens', errorType: 'syntax_error' },
  ...{ samples, first },
  ...facts,
})

const tried = (refinement: string, counts: readonly [number, number]) =>
  answers(counts, { refinement })

describe('the refinement of the next first request', () => {
  it.each<[string, readonly FirstAnswers[], Refinement | null]>([
    ['is none without a history', [], null],
    ['is none below ten samples', [answers([0, 9]), tried('close_code', [10, 10])], null],
    ['is none where four of five pass', [answers([8, 10])], null],
    ['is tried after ten', [answers([5, 10])], 'close_code'],
    ['follows the errors', [answers([5, 10], { errorType: 'missing_dependency' })], 'import_known'],
    [
      'needs a third of the failures',
      [answers([0, 3]), answers([0, 7], { errorType: 'unknown' })],
      'no_lesson',
    ],
    ['waits for its turn', [answers([5, 10]), tried('close_code', [1, 1])], null],
    ['has every other turn', [answers([5, 11]), tried('close_code', [1, 1])], 'close_code'],
    ['is kept when it helps', [answers([5, 12]), tried('close_code', [10, 10])], 'close_code'],
    [
      'is kept without taking turns',
      [answers([5, 12]), tried('close_code', [30, 33])],
      'close_code',
    ],
    ['is dropped when it hinders', [answers([9, 20]), tried('close_code', [0, 10])], 'no_lesson'],
    [
      'is dropped when forty show nothing',
      [answers([20, 50]), tried('close_code', [17, 40])],
      'no_lesson',
    ],
    ['is not yet judged at nine', [answers([2, 19]), tried('close_code', [9, 9])], 'close_code'],
    [
      'is dropped when it no longer helps',
      [answers([5, 12]), tried('close_code', [14, 40])],
      'no_lesson',
    ],
    [
      'is less code where much was shown',
      [
        answers([20, 50], { context: 'over 4,000 tokens', errorType: 'unknown' }),
        tried('no_lesson', [0, 10]),
      ],
      'less_code',
    ],
    [
      'is none when all are dropped',
      [answers([20, 50], { errorType: 'unknown' }), tried('no_lesson', [0, 10])],
      null,
    ],
    ['is not that of another shape', [answers([0, 50], { shape: 'few_files' })], null],
    [
      'is not one that nobody knows',
      [answers([5, 12]), tried('__proto__', [10, 10])],
      'close_code',
    ],
  ])('%s', (_, history, refinement) => {
    expect(chooseRefinement(shape, history)).toBe(refinement)
  })
})

/** Works through tasks whose first answers pass at these rates; tells how many passed, and the last choices. */
function work(rates: Readonly<Record<string, number>>, tasks: number, seed: number) {
  const random = createRandom(seed)
  const counts = new Map<string, { samples: number; first: number }>()
  const chosen: string[] = []
  for (let at = 0; at < tasks; at += 1) {
    const history = [...counts].map(([refinement, { first, samples }]) =>
      tried(refinement, [first, samples]),
    )
    const refinement = chooseRefinement(shape, history) ?? ''
    const { samples, first } = counts.get(refinement) ?? { samples: 0, first: 0 }
    const passed = random() < (rates[refinement] ?? rates[''] ?? 0)
    counts.set(refinement, { samples: samples + 1, first: first + (passed ? 1 : 0) })
    chosen.push(refinement)
  }
  const passed = [...counts.values()].reduce((sum, { first }) => sum + first, 0)
  return { passed, last: chosen.slice(-20), counts }
}

const seeds = Array.from({ length: 20 }, (_, at) => at + 1)

describe('over 300 tasks', () => {
  it('keeps what helps much, and passes more at once than without', () => {
    const worked = seeds.map((seed) => work({ '': 0.35, close_code: 0.8 }, 300, seed))
    const kept = worked.filter(({ last }) => last.every((each) => each === 'close_code'))
    expect(kept.length).toBeGreaterThanOrEqual(19)
    for (const { passed } of kept) expect(passed).toBeGreaterThan(0.6 * 300)
  })

  it('drops what hinders', () => {
    const worked = seeds.map((seed) =>
      work({ '': 0.6, close_code: 0.2, no_lesson: 0.6 }, 300, seed),
    )
    for (const { last, counts } of worked) {
      expect(last).not.toContain('close_code')
      expect(counts.get('close_code')?.samples).toBeLessThanOrEqual(40)
    }
  })

  it('ends every trial of what changes nothing', () => {
    const worked = seeds.map((seed) => work({ '': 0.5 }, 300, seed))
    const ended = worked.filter(({ last }) => last.every((each) => each === ''))
    expect(ended.length).toBeGreaterThanOrEqual(15)
  })
})

it('tells the figures of each refinement that was tried', () => {
  const figures = judgeRefinements([
    answers([5, 12]),
    tried('close_code', [10, 10]),
    tried('x', [1, 1]),
  ])
  expect(figures).toEqual([
    {
      ...{ shape, refinement: 'close_code', samples: 10, first: 10, state: 'kept' },
      usual: { samples: 12, first: 5 },
      confidence: { low: expect.closeTo(0.72, 2), high: expect.closeTo(1) },
    },
  ])
})
