import { OpenAI } from 'openai'
import { describe, expect, it, test } from 'vitest'
import type { ScriptedReply } from '../../model/model-script.ts'
import { post, readEvents, serve } from './bench.ts'

const text = 'zwölf Boxkämpfer 🥊 '.repeat(3)
const toolCalls = [
  { name: 'shell', arguments: { command: 'echo "ä"' } },
  { name: 'look', arguments: {} },
]
const question = { model: 'm', input: 'Say something.' }

async function connect(reply: ScriptedReply) {
  const server = await serve([reply])
  return new OpenAI({ baseURL: server.url, apiKey: 'any', maxRetries: 0, logLevel: 'off' })
}

const call = (index: number, name: string, given: string) => ({
  type: 'function_call',
  call_id: `call_script_1_${index}`,
  name,
  arguments: given,
  status: 'completed',
})
const calls = [call(0, 'shell', '{"command":"echo \\"ä\\""}'), call(1, 'look', '{}')]
const message = (said: string, status: string) => ({
  type: 'message',
  role: 'assistant',
  status,
  content: [{ type: 'output_text', text: said }],
})

describe("an answer, as OpenAI's own client reads it", () => {
  test.each<[name: string, reply: ScriptedReply, status: string, output: readonly object[]]>([
    ['text', { text }, 'completed', [message(text, 'completed')]],
    ['calls', { toolCalls }, 'completed', calls],
    ['text and calls', { text, toolCalls }, 'completed', [message(text, 'completed'), ...calls]],
    ['nothing', {}, 'completed', [message('', 'completed')]],
    ['half', { text, finish: 'length' }, 'incomplete', [message(text, 'incomplete')]],
  ])('of %s is the same whole and streamed', async (_, reply, status, output) => {
    const expected = {
      status,
      incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
      output,
      output_text: reply.text ?? '',
    }
    const whole = await (await connect(reply)).responses.create(question)
    expect(whole).toMatchObject(expected)
    const streamed = await (await connect(reply)).responses.stream(question).finalResponse()
    expect(streamed).toMatchObject(expected)
    expect(streamed.usage).toEqual(whole.usage)
  })

  it('is assembled of the events of its stream', async () => {
    const client = await connect({ text, toolCalls })
    const stream = await client.responses.create({ ...question, stream: true })
    const heard: string[] = []
    const given: string[] = []
    for await (const event of stream) {
      if (event.type === 'response.output_text.delta') heard.push(event.delta)
      if (event.type === 'response.function_call_arguments.delta') given.push(event.delta)
    }
    expect(heard.join('')).toBe(text)
    expect(heard.length).toBeGreaterThan(2)
    expect(given).toEqual(calls.map((each) => each.arguments))
  })

  it('reports its usage', async () => {
    const client = await connect({ text: 'twenty characters ok', toolCalls: toolCalls.slice(1) })
    const { usage } = await client.responses.create(question)
    expect(usage).toMatchObject({ input_tokens: 8, output_tokens: 13, total_tokens: 21 })
  })
})

test('the events have the names, the order and the numbers that the API documents', async () => {
  const server = await serve([{ text: 'short', toolCalls: toolCalls.slice(1) }])
  const response = await post(server, 'responses', { ...question, stream: true })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const events = await readEvents(response)
  expect(events.map(({ name }) => name)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.output_item.added',
    'response.function_call_arguments.delta',
    'response.function_call_arguments.done',
    'response.output_item.done',
    'response.completed',
  ])
  expect(events.map(({ data }) => data.type)).toEqual(events.map(({ name }) => name))
  expect(events.map(({ data }) => data.sequence_number)).toEqual(events.map((_, index) => index))
})

test('a stream that is cut ends in the middle of its text', async () => {
  const server = await serve([{ text: 'abcdef', fault: { kind: 'truncate', after: 4 } }])
  const response = await post(server, 'responses', { ...question, stream: true })
  let heard = ''
  const reading = (async () => {
    for await (const bytes of response.body ?? []) heard += Buffer.from(bytes).toString()
  })()
  await expect(reading).rejects.toThrow('terminated')
  expect(heard).toContain('"delta":"abcd"')
  expect(heard).not.toContain('response.completed')
})
