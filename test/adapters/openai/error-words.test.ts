import { expect, test } from 'vitest'
import {
  findError,
  readErrorText,
  readErrorWords,
} from '../../../src/adapters/openai/answer-ends.ts'

const raw = (raw: unknown) => ({
  error: { message: 'Provider error', code: 429, metadata: { raw } },
})

test.each<[form: string, said: unknown, words: object]>([
  [
    'OpenAI',
    { error: { message: 'no', code: 'bad', param: 'n' } },
    { message: 'no', code: 'bad', param: 'n', status: null },
  ],
  ['Ollama', { error: 'no' }, { message: 'no', status: null }],
  [
    'Gemini',
    [{ error: { code: 400, message: 'no', status: 'INVALID' } }],
    { message: 'no', status: 400 },
  ],
  ['vLLM', { object: 'error', message: 'no', code: 500 }, { message: 'no', status: 500 }],
  ['Azure', { error: { message: 'no', code: 'content_filter', status: 400 } }, { status: 400 }],
  ['FastAPI', { detail: 'no' }, { message: '{"detail":"no"}' }],
  ['a status as text', { error: { code: '503', message: 'no' } }, { status: 503 }],
  [
    'OpenRouter, the provider in words',
    raw('Too busy.'),
    { message: 'Provider error: Too busy.', status: 429 },
  ],
  [
    'OpenRouter, the provider as JSON',
    raw('{"error":{"message":"Too busy."}}'),
    { message: 'Provider error: Too busy.' },
  ],
  ['OpenRouter, the same words twice', raw('Provider error'), { message: 'Provider error' }],
  ['nothing', undefined, { message: 'undefined' }],
])('reads the error of %s', (_, said, words) => {
  expect(readErrorWords(said)).toMatchObject(words)
})

test.each([
  [
    '<!DOCTYPE html><title>Denied</title><style>b{}</style><h1>You are\nblocked</h1>',
    'Denied You are blocked',
  ],
  ['<html></html>', '<html></html>'],
  ['a < b and <html>', 'a < b and <html>'],
])('takes the words of %j', (text, message) => {
  expect(readErrorText(text)).toMatchObject({ message })
})

test.each([{ error: null }, { choices: [] }, 'error', null, { type: 'x' }])(
  'finds none in %j',
  (said) => {
    expect(findError(said)).toBeNull()
  },
)
