import { expect, test } from 'vitest'
import { priceOf } from '../../src/core/domain/usage.ts'

const listed = { prompt: 1, completion: 2 }
const own = { prompt: 7, completion: 8 }

test.each([
  ['gpt-4o-mini', {}, { prompt: 0.15, completion: 0.6 }],
  ['gpt-4o-mini-2024-07-18', {}, { prompt: 0.15, completion: 0.6 }],
  ['openai/gpt-4o-mini', {}, { prompt: 0.15, completion: 0.6 }],
  ['gpt-4o-mini', { 'gpt-4o-mini': own }, own],
  ['my-model', { 'my-model': own }, own],
  ['my-model', { other: own }, null],
  ['my-model-7b', { 'my-model*': own }, own],
  ['my-model', { 'my-model*': own }, own],
  ['my-model-7b', { 'my-*': listed, 'my-model*': own, '*': listed }, own],
  ['my-model-7b', { 'my-model*': own, 'my-model-7b': listed }, listed],
  ['my-model-7b', { 'my-model': own }, null],
  ['anything', { '*': own }, own],
  ['gpt-4o-mini', { 'gpt-4o*': own }, own],
  ['gpt-4o-audio', {}, null],
  ['constructor', {}, null],
  ['', {}, null],
])('the price of %s with %j', (model, prices, expected) => {
  expect(priceOf(model, prices)).toEqual(expected)
})
