import { afterEach, describe, expect, test } from 'vitest'
import type { Message } from '../../../src/core/ports/model.ts'
import { chunk, json, type RawRequest, startRaw, stream } from './raw-replies.ts'
import { closers, question } from './start-model.ts'

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

const good = stream(chunk('fine', 'stop'))
const messages: readonly Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Add.' },
  { role: 'assistant', content: 'Done.' },
  { role: 'user', content: 'Again.' },
  { role: 'user', content: 'In another way.' },
]
const hasSystem = (request: RawRequest) => request.messages.some(({ role }) => role === 'system')

describe('instructions go into the first message of the user where the endpoint says', () => {
  test.each<[words: string, status: number, body: unknown]>([
    ['vLLM', 400, { object: 'error', message: 'System role not supported', code: 400 }],
    ['llama.cpp', 500, { error: { message: 'Jinja Exception: System role not supported' } }],
    [
      'OpenAI',
      400,
      {
        error: {
          message:
            "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
          param: 'messages[0].role',
        },
      },
    ],
    [
      'Gemini',
      400,
      [{ error: { message: 'Developer instruction is not enabled for models/gemma-3-27b-it' } }],
    ],
    ['Mistral', 400, { message: 'Conversation roles must alternate user/assistant/user/...' }],
    ['LM Studio', 200, { error: 'Only user and assistant roles are supported!' }],
  ])('as %s', async (_, status, body) => {
    const raw = await startRaw((request) => (hasSystem(request) ? json(status, body) : good))
    const ask = { ...question, messages }
    expect(await raw.model.complete(ask)).toMatchObject({ text: 'fine', usage: { requests: 2 } })
    expect(raw.requests[1]?.messages).toEqual([
      { role: 'user', content: 'Be brief.\n\nAdd.' },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Again.\n\nIn another way.' },
    ])
    expect(await raw.model.complete(ask)).toMatchObject({ text: 'fine', usage: { requests: 1 } })
  })
})

describe('an answer is no longer than the endpoint says', () => {
  test.each<[most: number, message: string, param?: string]>([
    [
      1024,
      'max_tokens is too large: 2000. This model supports at most 1024 completion tokens, whereas you provided 2000.',
      'max_tokens',
    ],
    [1024, 'Invalid max_tokens value, the valid range of max_tokens is [1, 1024]'],
    [1000, '`max_tokens` must be less than or equal to `1000`, the maximum value for this model'],
    [1024, 'max_tokens: 2000 > 1024, which is the maximum allowed number of output tokens'],
    [
      1024,
      'maxOutputTokens is 2000 but the supported range is from 1 (inclusive) to 1025 (exclusive)',
    ],
  ])('at %i: %s', async (most, message, param) => {
    const limit = (request: RawRequest) =>
      request.max_tokens ?? request.max_completion_tokens ?? 1e9
    const refusal = json(400, { error: { message, param } })
    const raw = await startRaw((request) => (limit(request) > most ? refusal : good))
    expect(await raw.model.complete(question)).toMatchObject({ text: 'fine' })
    expect(raw.requests.map(limit)).toEqual([2000, most])
  })

  test('a limit that is none is not asked for twice', async () => {
    const message = 'max_tokens must be less than or equal to 4096'
    const raw = await startRaw(json(400, { error: { message } }))
    const reply = raw.model.complete(question)
    await expect(reply).rejects.toThrow(/must be less than or equal to 4096/)
    expect(raw.requests.length).toBeLessThan(4)
  })
})
