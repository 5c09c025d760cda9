import { expect, test } from 'vitest'
import { post, serve } from './bench.ts'

const model = 'm'
const input = 'hello'

test.each<[name: string, body: unknown, param: string | null]>([
  ['no JSON', '{', null],
  ['a list', [], null],
  ['no model', { input }, 'model'],
  ['a model that is no name', { model: 7, input }, 'model'],
  ['no input', { model }, 'input'],
  ['empty input', { model, input: [] }, 'input'],
  ['an input that is a number', { model, input: 3 }, 'input'],
  ['an item that is none', { model, input: [null] }, 'input[0]'],
  ['an unknown item', { model, input: [{ type: 'shout' }] }, 'input[0]'],
  ['an unknown role', { model, input: [{ role: 'me', content: '' }] }, 'input[0]'],
  ['a message without content', { model, input: [{ role: 'user' }] }, 'input[0]'],
  ['a call without a name', { model, input: [{ type: 'function_call' }] }, 'input[0]'],
  [
    'an output that is none',
    { model, input: [{ type: 'function_call_output', output: 7 }] },
    'input[0]',
  ],
  ['instructions in a list', { model, input, instructions: [] }, 'instructions'],
  ['an answer to go on from', { model, input, previous_response_id: 'a' }, 'previous_response_id'],
  ['a stream that is no boolean', { model, input, stream: 1 }, 'stream'],
  ['no token', { model, input, max_output_tokens: 0 }, 'max_output_tokens'],
  ['tools in a text', { model, input, tools: 'all' }, 'tools'],
  ['a tool that is none', { model, input, tools: [null] }, 'tools'],
])('%s is refused', async (_, body, param) => {
  const server = await serve(['never'])
  const response = await post(server, 'responses', body)
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({
    error: { message: expect.any(String), type: 'invalid_request_error', param, code: null },
  })
  expect(server.requests).toEqual([])
})

test('what else is asked for is recorded', async () => {
  const server = await serve(['one'])
  const format = { type: 'json_schema', name: 'a', schema: {} }
  await post(
    server,
    'responses',
    {
      model,
      input: [
        { type: 'reasoning', summary: [] },
        { role: 'user', content: 'hi' },
      ],
      max_output_tokens: 5,
      text: { format },
    },
    { 'x-executor-purpose': 'draft' },
  )
  expect(server.requests).toMatchObject([
    {
      messages: [{ role: 'user', content: 'hi' }],
      tools: [],
      stream: false,
      purpose: 'draft',
      maxTokens: 5,
      json: true,
      promptTokens: 5,
    },
  ])
})
