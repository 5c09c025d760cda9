import { describe, expect, it, test } from 'vitest'
import type { ScriptedReply } from '../../model/model-script.ts'
import { post, readEvents, type ServerEvent, serve } from './bench.ts'

const text = 'zwölf Boxkämpfer 🥊 '.repeat(3)
const toolCalls = [
  { name: 'shell', arguments: { command: 'echo "ä"' } },
  { name: 'look', arguments: {} },
]
const question = {
  model: 'm',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Say something.' }],
}

const textBlock = { type: 'text', text }
const callBlocks = toolCalls.map(({ name, arguments: input }, index) => ({
  type: 'tool_use',
  id: `toolu_script_1_${index}`,
  name,
  input,
}))

/** Puts a message together as the API's documentation says to. */
function assemble(events: readonly ServerEvent[]) {
  const blocks: Record<string, unknown>[] = []
  const json: string[] = []
  let stop: unknown
  for (const { data } of events) {
    const index = Number(data.index)
    const delta = data.delta as Record<string, string> | undefined
    if (data.type === 'content_block_start') {
      blocks[index] = { ...(data.content_block as object) }
      json[index] = ''
    }
    const block = blocks[index]
    if (delta?.type === 'text_delta' && block) block.text = `${block.text}${delta.text}`
    if (delta?.type === 'input_json_delta') json[index] += `${delta.partial_json}`
    if (data.type === 'content_block_stop' && block?.type === 'tool_use') {
      block.input = JSON.parse(json[index] ?? '')
    }
    if (data.type === 'message_delta') stop = delta?.stop_reason
  }
  return { content: blocks, stop_reason: stop }
}

describe('an answer', () => {
  test.each<[name: string, reply: ScriptedReply, stop: string, content: readonly object[]]>([
    ['text', { text }, 'end_turn', [textBlock]],
    ['calls', { toolCalls }, 'tool_use', callBlocks],
    ['text and calls', { text, toolCalls }, 'tool_use', [textBlock, ...callBlocks]],
    ['nothing', {}, 'end_turn', []],
    ['half', { text, finish: 'length' }, 'max_tokens', [textBlock]],
  ])('of %s is the same whole and streamed', async (_, reply, stop_reason, content) => {
    const server = await serve([reply])
    const whole = await (await post(server, 'messages', question)).json()
    expect(whole).toMatchObject({
      id: 'msg_script_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      stop_sequence: null,
      usage: { input_tokens: 8 },
    })
    expect(whole).toMatchObject({ content, stop_reason })
    const streaming = await serve([reply])
    const events = await readEvents(
      await post(streaming, 'messages', { ...question, stream: true }),
    )
    expect(assemble(events)).toEqual({ content, stop_reason })
  })

  it('is streamed in events of the names and the order that the API documents', async () => {
    const server = await serve([{ text: 'short', toolCalls: toolCalls.slice(0, 1) }])
    const response = await post(server, 'messages', { ...question, stream: true })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = await readEvents(response)
    expect(events.map(({ name }) => name)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    expect(events.map(({ data }) => data.type)).toEqual(events.map(({ name }) => name))
    expect(events.flatMap(({ data }) => data.index ?? [])).toEqual([0, 0, 0, 1, 1, 1])
    expect(events.at(0)?.data.message).toMatchObject({ content: [], usage: { input_tokens: 8 } })
    expect(events.at(-2)?.data.usage).toEqual({ output_tokens: 16 })
  })
})

describe('an error', () => {
  test.each<[status: number, type: string]>([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [413, 'request_too_large'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [529, 'overloaded_error'],
  ])('%i is said as %s', async (status, type) => {
    const server = await serve([{ fault: { kind: 'status', status, message: 'no' } }])
    const response = await post(server, 'messages', question)
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ type: 'error', error: { type, message: 'no' } })
  })
})
