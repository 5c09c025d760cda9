import { expect, test } from 'vitest'
import { createRandom } from '../../bench/statistics.ts'
import { drawForms } from '../../harness/replies/draw-forms.ts'

const forms = (kind: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `${kind} ${index}`, answer: kind }))
const [right, wrong] = [forms('right', 80), forms('wrong', 40)]

test('of what is drawn, a third is wrong, and nothing comes twice', () => {
  for (const share of [10, 25, 60]) {
    const drawn = drawForms(right, wrong, share, createRandom(share))
    const good = drawn.filter(({ answer }) => answer === 'right').length
    expect(good).toBeGreaterThan(0)
    expect(drawn.length - good).toBe(Math.ceil(good / 2))
    expect(new Set(drawn).size).toBe(drawn.length)
  }
})

test('all come where all are asked for, and others with another seed', () => {
  expect(drawForms(right, wrong, 100, createRandom(1))).toHaveLength(120)
  const names = (seed: number) => drawForms(right, wrong, 25, createRandom(seed)).map(String)
  expect(drawForms(right, wrong, 25, createRandom(1))).not.toEqual(
    drawForms(right, wrong, 25, createRandom(2)),
  )
  expect(names(1)).toEqual(names(1))
})
