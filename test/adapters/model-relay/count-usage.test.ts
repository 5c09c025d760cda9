import { describe, expect, it, test } from 'vitest'
import { UsageCounter } from '../../../src/adapters/model-relay/count-usage.ts'

/** Counts an answer that comes in pieces of this many bytes. */
function count(type: string, text: string, size = 7) {
  const counter = new UsageCounter(type)
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) counter.add(bytes.subarray(at, at + size))
  return counter.end(1000)
}
const stream = (...events: readonly unknown[]) =>
  events.map((event) => `event: x\ndata: ${JSON.stringify(event)}\n\n`).join('')
const tokens = (promptTokens: number, completionTokens: number) => ({
  promptTokens,
  completionTokens,
})

describe('UsageCounter', () => {
  const sse = 'text/event-stream; charset=utf-8'
  const json = 'application/json'
  test.each<[string, string, string, object]>([
    [
      'a completion',
      json,
      JSON.stringify({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 3 } }),
      tokens(12, 3),
    ],
    [
      'a stream of completions',
      sse,
      `${stream({ choices: [{ delta: { content: 'hällo' } }] }, { choices: [], usage: { prompt_tokens: 12, completion_tokens: 3 } })}data: [DONE]\n\n`,
      tokens(12, 3),
    ],
    [
      'a stream of responses',
      sse,
      stream(
        { type: 'response.output_text.delta', delta: 'hello' },
        {
          type: 'response.completed',
          response: { output: [{ text: 'hello' }], usage: { input_tokens: 40, output_tokens: 9 } },
        },
      ),
      tokens(40, 9),
    ],
    [
      'messages with a cache',
      sse,
      stream(
        {
          type: 'message_start',
          message: {
            usage: {
              input_tokens: 10,
              cache_creation_input_tokens: 100,
              cache_read_input_tokens: 1000,
              output_tokens: 1,
            },
          },
        },
        { type: 'message_delta', usage: { output_tokens: 25 } },
      ),
      tokens(1110, 25),
    ],
    [
      'a stream that reports nothing',
      sse,
      stream({ choices: [{ delta: { content: 'x'.repeat(400) } }] }),
      tokens(1000, 100),
    ],
    ['an answer that breaks off', sse, 'data: {"choices":[{"delta":{"content":"abcd', tokens(0, 0)],
    ['no JSON', json, '<html>', tokens(0, 0)],
    [
      'figures that are none',
      json,
      JSON.stringify({
        usage: { prompt_tokens: 'many', completion_tokens: -3 },
        choices: [{ message: { content: 'abcd' } }],
      }),
      tokens(1000, 1),
    ],
    [
      'usage that is null',
      sse,
      stream({ choices: [{ delta: { content: 'abcd' } }], usage: null }),
      tokens(1000, 1),
    ],
    ['nothing', json, '', tokens(0, 0)],
  ])('reads %s', (_, type, text, wanted) => expect(count(type, text)).toEqual(wanted))

  it('counts the same however the bytes are cut', () => {
    const text = stream({ choices: [{ delta: { content: 'ü'.repeat(40) } }] })
    const all = [1, 2, 3, 64, 10_000].map((size) => count(sse, text, size))
    expect(new Set(all.map((each) => JSON.stringify(each))).size).toBe(1)
  })
})
