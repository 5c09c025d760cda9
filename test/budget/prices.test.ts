import { expect, test } from 'vitest'
import { priceOf } from '../../src/budget/prices.ts'

const own = { prompt: 7, completion: 8 }

test.each([
  ['gpt-4o-mini', {}, { prompt: 0.15, completion: 0.6 }],
  ['gpt-4o-mini-2024-07-18', {}, { prompt: 0.15, completion: 0.6 }],
  ['openai/gpt-4o-mini', {}, { prompt: 0.15, completion: 0.6 }],
  ['gpt-4o-mini', { 'gpt-4o-mini': own }, own],
  ['my-model', { 'my-model': own }, own],
  ['my-model', { other: own }, null],
  ['gpt-4o-audio', {}, null],
  ['constructor', {}, null],
  ['', {}, null],
])('the price of %s with %j', (model, prices, expected) => {
  expect(priceOf(model, prices)).toEqual(expected)
})
