import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../../text/words/words.ts'
import { outlineParts } from '../../code/outline-parts.ts'

const body = (name: string) =>
  [`export function ${name}() {`, ...Array(20).fill('  step()'), '}', ''].join('\n')
const text = ['open', 'close', 'total', 'send']
  .map(body)
  .join('\n')
  .replace('  step()\n}\n\nexport function send', '  sumPrices()\n}\n\nexport function send')
const weights = new Map([['price', 1]])

describe('an outline of parts', () => {
  it('shows the lines with the words below their declaration, and other declarations', () => {
    const short = outlineParts('a.ts', text, weights, [], 150)
    expect(short.split('\n')).toEqual([
      'export function open() {',
      '… 22 lines …',
      'export function close() {',
      '… 22 lines …',
      'export function total() {',
      '… 17 lines …',
      '  step()',
      '  step()',
      '  sumPrices()',
      '}',
      '',
      'export function send() {',
      '  step()',
      '  step()',
      '  step()',
      '… 19 lines …',
    ])
  })

  it('prefers the declarations of the parts that were found', () => {
    const parts = [{ first: 70, last: 92, score: 5 }]
    const short = outlineParts('a.ts', text, new Map(), parts, 12)
    expect(short).toContain('function send')
    expect(short).not.toContain('function open')
  })

  it('stays within the budget, and its gaps add up to the lines of the file', () => {
    const line = fc.constantFrom('function total() {', 'price', '', 'x'.repeat(500), '  a = b', '}')
    const part = fc.record({ first: fc.nat(50), last: fc.nat(90), score: fc.nat(9) })
    fc.assert(
      fc.property(
        ...([
          fc.array(line, { minLength: 1, maxLength: 80 }),
          fc.array(part),
          fc.nat(400),
        ] as const),
        (lines, parts, budget) => {
          const short = outlineParts('a.js', lines.join('\n'), weights, parts, budget)
          const gaps = short.split('\n').map((each) => Number(/^… (\d+) line/.exec(each)?.[1] ?? 1))
          expect(gaps.reduce((sum, each) => sum + each, 0)).toBe(lines.length)
          expect(estimateTokens(short)).toBeLessThanOrEqual(budget + 6)
        },
      ),
    )
  })
})
