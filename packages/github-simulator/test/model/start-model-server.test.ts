import { OpenAI } from 'openai'
import { afterEach, describe, expect, it, test } from 'vitest'
import type { ModelScript } from '../../model/model-script.ts'
import {
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '../../model/start-model-server.ts'

const servers: ModelServer[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function start(script: ModelScript, options: Omit<ModelServerOptions, 'script'> = {}) {
  const server = await startModelServer({ script, ...options })
  servers.push(server)
  const client = new OpenAI({ baseURL: server.url, apiKey: 'any', maxRetries: 0, logLevel: 'off' })
  return { server, client }
}

const question = {
  model: 'm',
  messages: [{ role: 'user' as const, content: 'Say something.' }],
}

const post = (server: ModelServer, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

describe("the protocol, as OpenAI's own client reads it", () => {
  it('answers at once', async () => {
    const { client } = await start(['zwölf Boxkämpfer 🥊'])
    const completion = await client.chat.completions.create(question)
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: 'm',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'zwölf Boxkämpfer 🥊' },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 8, completion_tokens: 5, total_tokens: 13 },
    })
  })

  it('streams a few characters at a time, with the usage when asked for', async () => {
    const text = 'zwölf Boxkämpfer 🥊 '.repeat(10)
    const { client } = await start([{ when: {}, answers: [{ text, finish: 'length' }] }])
    for (const include_usage of [true, false]) {
      const stream = await client.chat.completions.create({
        ...question,
        stream: true,
        stream_options: { include_usage },
      })
      const chunks: OpenAI.ChatCompletionChunk[] = []
      for await (const chunk of stream) chunks.push(chunk)
      const pieces = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '')
      expect(pieces.join('')).toBe(text)
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(41)
      expect(chunks.flatMap((chunk) => chunk.choices[0]?.finish_reason ?? [])).toEqual(['length'])
      const usage = chunks.flatMap((chunk) => chunk.usage ?? [])
      const counted = { prompt_tokens: 8, completion_tokens: 50, total_tokens: 58 }
      expect(usage).toEqual(include_usage ? [counted] : [])
    }
  })

  it('reports the usage of the script, or counts with the given counter', async () => {
    const usage = { promptTokens: 100, completionTokens: 200 }
    const { client } = await start([{ text: 'a', usage }, 'four words of text'], {
      countTokens: (text) => text.split(' ').length,
    })
    const first = await client.chat.completions.create(question)
    expect(first.usage).toMatchObject({ prompt_tokens: 100, completion_tokens: 200 })
    const second = await client.chat.completions.create(question)
    expect(second.usage).toMatchObject({ prompt_tokens: 2, completion_tokens: 4 })
  })

  it('lists its models, and knows no other', async () => {
    const { client } = await start(['never'], { models: ['small', 'large'] })
    const { data } = await client.models.list()
    expect(data.map(({ id }) => id)).toEqual(['small', 'large'])
    await expect(client.chat.completions.create(question)).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    })
  })

  it('wants the key it was given', async () => {
    const { client } = await start(['never'], { apiKey: 'right' })
    const asked = client.chat.completions.create(question)
    await expect(asked).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' })
    await expect(client.models.list()).rejects.toMatchObject({ status: 401 })
  })
})

describe('requests', () => {
  const { model, messages } = question

  test.each<[name: string, body: unknown, param: string | null]>([
    ['no JSON', '{', null],
    ['nothing', '', null],
    ['a list', [], null],
    ['no model', { messages }, 'model'],
    ['a model that is no name', { model: 7, messages }, 'model'],
    ['no messages', { model }, 'messages'],
    ['no message', { model, messages: [] }, 'messages'],
    ['messages in a text', { model, messages: 'hello' }, 'messages'],
    ['a message that is none', { model, messages: [null] }, 'messages[0]'],
    [
      'an unknown role',
      { model, messages: [...messages, { role: 'me', content: '' }] },
      'messages[1]',
    ],
    ['a message without content', { model, messages: [{ role: 'user' }] }, 'messages[0]'],
    ['a stream that is no boolean', { ...question, stream: 'yes' }, 'stream'],
    ['options of no stream', { ...question, stream_options: {} }, 'stream_options'],
    ['half a token', { ...question, max_tokens: 0.5 }, 'max_tokens'],
    ['no token', { ...question, max_completion_tokens: 0 }, 'max_completion_tokens'],
    ['heat', { ...question, temperature: 3 }, 'temperature'],
    ['a choice among no tools', { ...question, tool_choice: 'auto' }, 'tool_choice'],
    ['an unknown format', { ...question, response_format: { type: 'xml' } }, 'response_format'],
  ])('with %s are refused', async (_, body, param) => {
    const { server } = await start(['never'])
    const response = await post(server, body)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: { message: expect.any(String), type: 'invalid_request_error', param, code: null },
    })
    expect(server.requests).toEqual([])
  })

  it('are recorded', async () => {
    const { server } = await start(['one', 'two'])
    const parts = [
      { type: 'text', text: 'in ' },
      { type: 'text', text: 'parts' },
    ]
    await post(server, { ...question, messages: [{ role: 'user', content: parts }] })
    await post(
      server,
      {
        ...question,
        stream: true,
        stream_options: { include_usage: true },
        max_tokens: 5,
        response_format: { type: 'json_object' },
      },
      { 'x-executor-purpose': 'draft' },
    )
    expect(server.requests).toMatchObject([
      {
        messages: [{ role: 'user', content: 'in parts' }],
        stream: false,
        purpose: null,
        json: false,
      },
      {
        model: 'm',
        messages,
        stream: true,
        includeUsage: true,
        purpose: 'draft',
        maxTokens: 5,
        json: true,
        promptTokens: 8,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ])
  })

  it.each([
    ['GET', '/v1/chat/completions'],
    ['POST', '/v1/completions'],
    ['GET', '/'],
  ])('%s %s is not there', async (method, path) => {
    const { server } = await start([])
    const response = await fetch(new URL(path, server.url), { method })
    expect(response.status).toBe(404)
  })
})

describe('faults', () => {
  it('say what went wrong as OpenAI does', async () => {
    const fault = {
      kind: 'status',
      status: 429,
      retryAfter: 20,
      code: 'rate_limit_exceeded',
    } as const
    const { server } = await start([{ fault }])
    const response = await post(server, question)
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('20')
    expect(await response.json()).toEqual({
      error: {
        message: 'The script says 429.',
        type: 'rate_limit_error',
        param: null,
        code: 'rate_limit_exceeded',
      },
    })
  })

  it('break the answer where the script says', async () => {
    const { server } = await start([{ text: 'abcdef', fault: { kind: 'truncate', after: 4 } }])
    const response = await post(server, { ...question, stream: true })
    let heard = ''
    const reading = (async () => {
      for await (const bytes of response.body ?? []) heard += Buffer.from(bytes).toString()
    })()
    await expect(reading).rejects.toThrow('terminated')
    expect(heard).toContain('"abcd"')
    expect(heard).not.toContain('finish_reason":"')
  })

  it('are over with the next answer', async () => {
    const { server } = await start([
      { fault: { kind: 'drop' } },
      { fault: { kind: 'empty' } },
      'ok',
    ])
    await expect(post(server, question)).rejects.toThrow('fetch failed')
    const empty = await (await post(server, question)).json()
    expect(empty).toMatchObject({ choices: [{ message: { content: '' } }] })
    expect(await (await post(server, question)).text()).toContain('"ok"')
  })

  it('do not hold up the closing of the server', async () => {
    const { server } = await start([{ fault: { kind: 'slow', seconds: 1000 } }])
    const asked = post(server, question)
    await expect.poll(() => server.requests.length).toBe(1)
    await Promise.all([server.close(), expect(asked).rejects.toThrow('fetch failed')])
  })
})
