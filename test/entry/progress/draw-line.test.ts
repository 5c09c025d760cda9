import { describe, expect, it } from 'vitest'
import { columnsOf, drawLine } from '../../../src/entry/progress/draw-line.ts'
import { anActivity } from './watched-run.ts'

const plain = (_: string, text: string) => text
const marked = (format: string, text: string) => `<${format}>${text}</${format}>`
const asking = anActivity({ figures: ['12 s', '1,340 tokens', '45 tokens/s'] })
const testing = anActivity({
  label: 'T-1 running the tests (npm test)',
  figures: ['34 s', '120 passed, 1 failed'],
  output: '✔ 日本語のテストが通る (3ms) and what comes behind it',
})

describe('the line of a terminal', () => {
  it.each([
    [0, asking, '  ⠋ T-1 asking gpt-5 for the change: 12 s, 1,340 tokens, 45 tokens/s'],
    [80, asking, '  ⠋ T-1 asking gpt-5 for the change: 12 s, 1,340 tokens, 45 tokens/s'],
    [60, asking, '  ⠋ T-1 asking gpt-5 for the change: 12 s, 1,340 tokens'],
    [41, asking, '  ⠋ T-1 asking gpt-5 for the chan…: 12 s'],
    [20, asking, '⠋ T-1 asking…: 12 s'],
    [12, asking, '⠋ 12 s'],
    [8, asking, '⠋ 12 s'],
    [4, asking, '⠋ …'],
    [2, asking, '⠋'],
    [1, asking, '⠋'],
    [Number.NaN, asking, '  ⠋ T-1 asking gpt-5 for the change: 12 s, 1,340 tokens, 45 tokens/s'],
    [
      80,
      testing,
      '  ⠋ T-1 running the tests (npm test): 34 s, 120 passed, 1 failed  ✔ 日本語のテ…',
    ],
    [
      200,
      testing,
      '  ⠋ T-1 running the tests (npm test): 34 s, 120 passed, 1 failed  ✔ 日本語のテストが通る (3ms) and what comes behind it',
    ],
    // Too little room for the output.
    [72, testing, '  ⠋ T-1 running the tests (npm test): 34 s, 120 passed, 1 failed'],
  ])('at %f columns', (width, activity, expected) => {
    const line = drawLine(activity, { at: 0, width, paint: plain })
    expect(line).toBe(expected)
    expect(columnsOf(line)).toBeLessThan(Math.max(2, width || 80))
  })

  it('is painted where colours are wanted, and turns as time goes by', () => {
    const at = (seconds: number) => drawLine(testing, { at: seconds, width: 80, paint: marked })
    expect(at(0)).toMatch(/^ {2}<cyan>⠋<\/cyan> T-1 .*<dim> {2}✔ .*…<\/dim>$/)
    expect(new Set([0, 0.2, 0.4, 0.6].map(at)).size).toBe(4)
  })
})
