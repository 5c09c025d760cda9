import { OpenAI } from 'openai'
import { describe, expect, it, test } from 'vitest'
import { post, serve } from './bench.ts'

const call = { name: 'shell', arguments: { command: 'ls' } }
const given = JSON.stringify(call.arguments)
const parameters = { type: 'object', properties: { command: { type: 'string' } } }

/** One conversation, as each API is told it. */
const conversations = {
  'chat/completions': {
    model: 'm',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'What is there?' }] },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: call.name, arguments: given } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'a.js' },
    ],
    tools: [{ type: 'function', function: { name: 'shell', parameters } }],
  },
  responses: {
    model: 'm',
    instructions: 'Be brief.',
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'What is there?' }] },
      { role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
      { type: 'function_call', call_id: 'a', name: call.name, arguments: given },
      { type: 'function_call_output', call_id: 'a', output: 'a.js' },
    ],
    tools: [{ type: 'function', name: 'shell', parameters }],
  },
  messages: {
    model: 'm',
    max_tokens: 100,
    system: 'Be brief.',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'What is there?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'a', name: call.name, input: call.arguments },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'a.js' }] },
        ],
      },
    ],
    tools: [{ name: 'shell', input_schema: parameters }],
  },
} as const

const paths = ['chat/completions', 'responses', 'messages'] as const

describe.each(paths)('%s', (path) => {
  it('is read as the same request as the others', async () => {
    const server = await serve(['fine'])
    const body = conversations[path]
    await post(server, path, body)
    const [tool] = body.tools
    expect(server.requests).toMatchObject([
      {
        model: 'm',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'What is there?' },
          { role: 'assistant', content: 'I look.' },
          { role: 'assistant', content: 'shell({"command":"ls"})' },
          { role: 'tool', content: 'a.js' },
        ],
        tools: [{ name: 'shell', definition: JSON.stringify(tool) }],
        stream: false,
        json: false,
      },
    ])
    // Nine for the texts and the four around each, and the tool's own.
    const ofTool = Math.ceil(JSON.stringify(tool).length / 4)
    expect(server.requests[0]?.promptTokens).toBe(3 + 4 + 2 + 6 + 1 + 5 * 4 + ofTool)
  })

  it('says when the script has no answer', async () => {
    const server = await serve([])
    const response = await post(server, path, conversations[path])
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('no answer for request 1')
  })

  it('wants the key it was given', async () => {
    const server = await serve(['fine'], { apiKey: 'right' })
    const statuses = [{}, { authorization: 'Bearer wrong' }, { 'x-api-key': 'wrong' }]
    for (const headers of statuses) {
      expect((await post(server, path, conversations[path], headers)).status).toBe(401)
    }
    const header = path === 'messages' ? 'x-api-key' : 'authorization'
    const key = path === 'messages' ? 'right' : 'Bearer right'
    expect((await post(server, path, conversations[path], { [header]: key })).status).toBe(200)
  })

  it('knows no other model than its own', async () => {
    const server = await serve(['fine'], { models: ['another'] })
    expect((await post(server, path, conversations[path])).status).toBe(404)
  })

  it('answers when its latency is over', async () => {
    const server = await serve(['fine'], { latencySeconds: 0.05 })
    const started = performance.now()
    await (await post(server, path, conversations[path])).text()
    expect(performance.now() - started).toBeGreaterThan(45)
  })

  it('can be asked by GET for nothing', async () => {
    const server = await serve(['fine'])
    expect((await fetch(`${server.url}/${path}`)).status).toBe(404)
  })
})

test('a latency does not hold up the closing of the server', async () => {
  const server = await serve(['fine'], { latencySeconds: 1000 })
  const asked = post(server, 'responses', conversations.responses)
  await expect.poll(() => server.requests.length).toBe(1)
  await Promise.all([server.close(), expect(asked).rejects.toThrow('fetch failed')])
})

test("a chat answer's calls are what OpenAI's own client assembles", async () => {
  const reply = { text: 'I look.', toolCalls: [call, { name: 'wait', arguments: {} }] }
  const server = await serve([reply, reply, { toolCalls: [call] }])
  const client = new OpenAI({ baseURL: server.url, apiKey: 'any', maxRetries: 0 })
  const question = { model: 'm', messages: [{ role: 'user' as const, content: 'What is there?' }] }
  const expected = {
    content: 'I look.',
    tool_calls: [
      { type: 'function', function: { name: 'shell', arguments: given } },
      { type: 'function', function: { name: 'wait', arguments: '{}' } },
    ],
  }
  const whole = await client.chat.completions.create(question)
  expect(whole.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: expected })
  const stream = client.chat.completions.stream(question)
  expect((await stream.finalChatCompletion()).choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: expected,
  })
  const silent = await client.chat.completions.create(question)
  expect(silent.choices[0]?.message.content).toBeNull()
})

test('broken arguments are sent as they are, a few characters at a time', async () => {
  const given = '{"command": "a long line that ends in the midd'
  const reply = { toolCalls: [{ name: 'shell', arguments: given }], finish: 'length' } as const
  const server = await serve([{ when: {}, answers: [reply] }])
  const client = new OpenAI({ baseURL: server.url, apiKey: 'any', maxRetries: 0 })
  const question = { model: 'm', messages: [{ role: 'user' as const, content: 'What is there?' }] }
  const whole = await client.chat.completions.create(question)
  const called = { function: { name: 'shell', arguments: given } }
  expect(whole.choices[0]).toMatchObject({
    finish_reason: 'length',
    message: { tool_calls: [called] },
  })
  const pieces: string[] = []
  for await (const chunk of await client.chat.completions.create({ ...question, stream: true })) {
    pieces.push(chunk.choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? '')
  }
  expect(pieces.join('')).toBe(given)
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(41)
  const message = { ...question, max_tokens: 9 }
  const body: unknown = await (await post(server, 'messages', message)).json()
  expect(body).toMatchObject({ content: [{ type: 'tool_use', name: 'shell', input: {} }] })
  const events = await (await post(server, 'messages', { ...message, stream: true })).text()
  expect(events).toContain(`"partial_json":${JSON.stringify(given)}`)
  const response: unknown = await (
    await post(server, 'responses', { model: 'm', input: 'What is there?' })
  ).json()
  expect(response).toMatchObject({ output: [{ name: 'shell', arguments: given }] })
})
