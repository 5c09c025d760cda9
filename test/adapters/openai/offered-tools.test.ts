import { afterEach, describe, expect, it, test } from 'vitest'
import type { ScriptedReply } from '../../../packages/github-simulator/model/model-script.ts'
import type { ModelRequest, ToolDefinition } from '../../../src/core/ports/model.ts'
import { closers, question, start } from './start-model.ts'

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

const grep: ToolDefinition = {
  name: 'grep',
  description: 'Searches the files.',
  parameters: {
    type: 'object',
    properties: { words: { type: 'string' } },
    required: ['words'],
    additionalProperties: false,
  },
}

const asking: ModelRequest = { ...question, tools: [grep] }

const fence = '```json\n{"tool": "grep", "arguments": {"words":"total"}}\n```'

const called = { toolCalls: [{ name: 'grep', arguments: { words: 'total' } }] }

describe('tools', () => {
  it('are offered, and their calls are a part of the text', async () => {
    for (const ignoresStream of [false, true]) {
      const script: ScriptedReply[] = [called, { ...called, text: 'I look.' }]
      const { model, server, heard } = await start(script, { quirks: { ignoresStream } })
      const reply = await model.complete(asking)
      expect(reply).toMatchObject({ status: 'answered', text: fence, finish: 'stop' })
      expect(await model.complete(asking)).toMatchObject({ text: `I look.\n\n${fence}` })
      const [offered] = server.requests[0]?.tools ?? []
      expect(JSON.parse(offered?.definition ?? '')).toEqual({ type: 'function', function: grep })
      const received = heard.map((each) => (each.kind === 'received' ? each.characters : 0))
      // A whole answer is read at its end.
      if (!ignoresStream) expect(Math.max(...received)).toBeGreaterThan(json.length)
    }
  })

  const json = '{"words":"total"}'

  it('are not offered when there are none', async () => {
    const { model, server } = await start(['fine', 'fine'])
    await model.complete({ ...question, tools: [] })
    await model.complete(question)
    expect(server.requests.map(({ tools }) => tools)).toEqual([[], []])
  })

  it('count in an estimate of what was read', async () => {
    const { model } = await start(['x', 'x'], { quirks: { reportsNoUsage: true } })
    const without = await model.complete(question)
    const { usage } = await model.complete(asking)
    expect(usage.promptTokens - without.usage.promptTokens).toBeGreaterThan(40)
  })

  test.each<[number, string]>([
    [400, 'registry.ollama.ai/library/gemma:2b does not support tools'],
    [400, "Unsupported parameter: 'tools' is not supported with this model."],
    [422, 'tools: Extra inputs are not permitted'],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [404, 'No endpoints found that support tool use.'],
    [500, 'tools param requires --jinja flag'],
    [400, "Failed to call a function. Please adjust your prompt. See 'failed_generation'."],
    [400, 'Function calling is not enabled for models/gemma-3'],
  ])('are left out once an endpoint refuses them: %d %s', async (status, message) => {
    const refusal: ScriptedReply = { fault: { kind: 'status', status, message } }
    const { model, server, clock } = await start([refusal, 'one', 'two'])
    expect(await model.complete(asking)).toMatchObject({ text: 'one' })
    expect(await model.complete(asking)).toMatchObject({ text: 'two', usage: { requests: 1 } })
    expect(server.requests.map(({ tools }) => tools.length)).toEqual([1, 0, 0])
    expect(clock.sleeps).toEqual([])
  })

  it('stay when only the choice among them is refused', async () => {
    const { model, server } = await start([called], { quirks: { refuses: ['tool_choice'] } })
    expect(await model.complete(asking)).toMatchObject({ text: fence })
    expect(server.requests.map(({ tools }) => tools.length)).toEqual([1])
  })

  test.each<[number, string, object]>([
    [401, 'no tools without a key', { code: 'model_rejected' }],
    [400, 'the messages are wrong', { code: 'model_rejected' }],
    [404, 'there is no such model', { code: 'model_rejected' }],
  ])('have nothing to do with %d %s', async (status, message, error) => {
    const refusal: ScriptedReply = { fault: { kind: 'status', status, message } }
    const { model, server } = await start([refusal])
    await expect(model.complete(asking)).rejects.toMatchObject(error)
    expect(server.requests).toHaveLength(1)
  })

  it('are not blamed for a request that is too large, or for an overload', async () => {
    const large = "This model's maximum context length is 4096 tokens: shorten messages or tools."
    const { model, server } = await start([
      { fault: { kind: 'status', status: 400, message: large } },
      { fault: { kind: 'status', status: 503, message: 'no room for tools' } },
      called,
    ])
    expect(await model.complete(asking)).toMatchObject({ status: 'too_large', window: 4096 })
    expect(await model.complete(asking)).toMatchObject({ text: fence })
    expect(server.requests.map(({ tools }) => tools.length)).toEqual([1, 1, 1])
  })

  it('have their place in the length of an answer', async () => {
    const given = { change: 'x'.repeat(200_000) }
    const long = { toolCalls: [{ name: 'write_diff', arguments: given }] }
    const { model } = await start([long])
    const reply = await model.complete(asking)
    expect(reply).toMatchObject({ status: 'answered', finish: 'length' })
  })

  it('are offered again for the rest of a cut text', async () => {
    const { model, server } = await start([{ text: 'I lo', finish: 'length' }, called])
    expect(await model.complete(asking)).toMatchObject({ text: `I lo\n\n${fence}`, finish: 'stop' })
    expect(server.requests.map(({ tools }) => tools.length)).toEqual([1, 1])
  })

  it('are not offered for the rest of a cut call, which is text', async () => {
    const cut: ScriptedReply = {
      toolCalls: [{ name: 'grep', arguments: '{"words": "to' }],
      finish: 'length',
    }
    const { model, server } = await start([cut, 'tal"}}\n```'])
    const text = '```json\n{"tool": "grep", "arguments": {"words": "total"}}\n```'
    expect(await model.complete(asking)).toMatchObject({ text, finish: 'stop' })
    expect(server.requests.map(({ tools }) => tools.length)).toEqual([1, 0])
    expect(server.requests[1]?.messages.at(-2)?.content).toBe(
      '```json\n{"tool": "grep", "arguments": {"words": "to',
    )
  })
})
