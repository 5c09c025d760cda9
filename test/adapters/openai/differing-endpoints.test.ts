import { afterEach, describe, expect, it, test } from 'vitest'
import { ExecutorError } from '../../../src/core/domain/errors.ts'
import { chunk, completion, startRaw } from './raw-replies.ts'
import { closers, question, start } from './start-model.ts'

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

describe('endpoints that differ', () => {
  const every = ['temperature', 'stream_options', 'response_format', 'max_tokens', 'stream']

  test.each([...every.map((name) => [name]), every, [...every, 'max_completion_tokens']])(
    'does without what is refused, and remembers it: %s',
    async (...refuses) => {
      const { model, server } = await start([{ when: {}, answers: ['fine'] }], {
        quirks: { refuses },
      })
      const json = { ...question, json: true }
      expect(await model.complete(json)).toMatchObject({ text: 'fine' })
      const first = await model.complete(json)
      expect(first).toMatchObject({ text: 'fine', usage: { requests: 1 } })
      expect(server.requests).toHaveLength(2)
      expect(server.requests[1]).toMatchObject({
        stream: !refuses.includes('stream'),
        json: !refuses.includes('response_format'),
        maxTokens: refuses.includes('max_completion_tokens') ? null : 2000,
      })
    },
  )

  it('estimates what an endpoint does not count', async () => {
    const { model } = await start(['x'.repeat(40)], { quirks: { reportsNoUsage: true } })
    const { usage } = await model.complete(question)
    expect(usage).toMatchObject({ requests: 1, promptTokens: 14, completionTokens: 10 })
  })

  test.each<[name: string, status: number, type: string, body: string, expected: object]>([
    ['JSON for a stream', 200, 'application/json', completion('hello'), { text: 'hello' }],
    ['pretty JSON', 200, 'text/plain', pretty(completion('hello')), { text: 'hello' }],
    [
      'a list of parts',
      200,
      'application/json',
      completion([{ text: 'a' }, { text: 'b' }]),
      { text: 'ab' },
    ],
    [
      'events called text',
      200,
      'text/plain',
      `: hi\r\n\r\ndata:${chunk('a')}\r\n\r\ndata: [DONE]`,
      { text: 'a' },
    ],
    ['no [DONE]', 200, 'text/event-stream', `data: ${chunk('a', 'stop')}\n\n`, { text: 'a' }],
    ['null content', 200, 'text/event-stream', `data: ${chunk(null, 'stop')}\n\n`, { text: '' }],
    ['no choices', 200, 'application/json', '{"choices": []}', { text: '' }],
    ['neither end', 200, 'text/event-stream', `data: ${chunk('a')}\n\n`, { reason: /ended early/ }],
    [
      'an error among events',
      200,
      'text/event-stream',
      'data: {"error":{"message":"overloaded"}}\n\n',
      { reason: /overloaded/ },
    ],
    [
      'an error with 200',
      200,
      'application/json',
      '{"error":{"message":"busy","code":503}}',
      { reason: /busy/ },
    ],
    [
      'another JSON',
      200,
      'application/json',
      '{"hello": "world"}',
      { reason: /not a chat completion/ },
    ],
    ['a scalar', 200, 'application/json', 'null', { reason: /not a chat completion/ }],
    ['nothing', 200, 'application/json', '', { reason: /no content/ }],
    ['204', 204, 'application/json', '', { reason: /no content/ }],
    [
      'an HTML error',
      502,
      'text/html',
      '<html>Bad\ngateway</html>',
      { reason: /answered 502: Bad gateway$/ },
    ],
    [
      'a final error with 200',
      200,
      'application/json',
      '{"error":{"message":"too long","code":400}}',
      { rejected: /too long/ },
    ],
    [
      'an error elsewhere',
      422,
      'application/json',
      '{"detail":[{"msg":"bad model"}]}',
      { rejected: /answered 422: .*bad model/ },
    ],
  ])('understands %s', async (_, status, type, body, expected) => {
    const { model } = await startRaw([status, type, body])
    const reply = await model.complete(question).catch((error: unknown) => ({
      rejected: error instanceof ExecutorError ? error.message : error,
    }))
    for (const [key, value] of Object.entries(expected)) {
      if (value instanceof RegExp) expect(Reflect.get(reply, key)).toMatch(value)
      else expect(reply).toHaveProperty(key, value)
    }
  })
})

function pretty(json: string): string {
  return `\n${JSON.stringify(JSON.parse(json), null, 2)}\n`
}
