import { expect, test } from 'vitest'
import { post, serve } from './bench.ts'

const messages = [{ role: 'user', content: 'hello' }]
const question = { model: 'm', max_tokens: 9, messages }
const having = (content: unknown) => ({ ...question, messages: [{ role: 'user', content }] })

test.each<[name: string, body: unknown, where: string]>([
  ['no JSON', '{', 'JSON'],
  ['a list', [], 'JSON'],
  ['no model', { ...question, model: undefined }, 'model'],
  ['a model that is no name', { ...question, model: 7 }, 'model'],
  ['no limit', { ...question, max_tokens: undefined }, 'max_tokens'],
  ['half a token', { ...question, max_tokens: 0.5 }, 'max_tokens'],
  ['no messages', { ...question, messages: undefined }, 'messages'],
  ['no message', { ...question, messages: [] }, 'messages'],
  ['a message that is none', { ...question, messages: [...messages, null] }, 'messages[1]'],
  ['an unknown role', { ...question, messages: [{ role: 'tool', content: '' }] }, 'messages[0]'],
  ['a message without content', having(undefined), 'messages[0]'],
  ['a block that is none', having([7]), 'messages[0]'],
  ['a call without a name', having([{ type: 'tool_use', input: {} }]), 'messages[0]'],
  ['a result that is none', having([{ type: 'tool_result', content: 7 }]), 'messages[0]'],
  ['a system that is a number', { ...question, system: 7 }, 'system'],
  ['a stream that is no boolean', { ...question, stream: 'yes' }, 'stream'],
  ['tools in a text', { ...question, tools: 'all' }, 'tools'],
])('%s is refused', async (_, body, where) => {
  const server = await serve(['never'])
  const response = await post(server, 'messages', body)
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({
    type: 'error',
    error: { type: 'invalid_request_error', message: expect.stringContaining(where) },
  })
  expect(server.requests).toEqual([])
})

test('what else is asked for is recorded', async () => {
  const server = await serve(['one'])
  const format = { type: 'json_schema', schema: {} }
  await post(
    server,
    'messages',
    {
      ...question,
      system: [
        { type: 'text', text: 'Be ' },
        { type: 'text', text: 'brief.' },
      ],
      output_config: { format },
    },
    { 'x-executor-purpose': 'draft' },
  )
  expect(server.requests).toMatchObject([
    {
      messages: [{ role: 'system', content: 'Be brief.' }, ...messages],
      stream: false,
      purpose: 'draft',
      maxTokens: 9,
      json: true,
    },
  ])
})
