import { expect, it, test } from 'vitest'
import { InvalidScript } from '../../model/invalid-script.ts'
import type { ModelScript } from '../../model/model-script.ts'
import { loadRecording } from '../../model/recording.ts'
import { type ModelServerOptions, startModelServer } from '../../model/start-model-server.ts'

it('plays back what a real endpoint said, and nothing else', async () => {
  const real = await startModelServer({
    script: [
      'first',
      { text: 'second', finish: 'length' },
      { fault: { kind: 'status', status: 500 } },
    ],
    apiKey: 'real key',
  })
  const lines: string[] = []
  const prompts = ['hello', 'hello', 'bye']
  const recorded = await talk([{ when: { contains: 'script' }, answers: ['scripted'] }], prompts, {
    upstream: { url: real.url, apiKey: 'real key' },
    onRecord: (line) => lines.push(line),
  })
  await real.close()
  expect(recorded.map(({ status, text }) => `${status} ${text}`)).toEqual([
    '200 first',
    '200 second',
    '500 undefined',
  ])
  expect(lines).toHaveLength(2)
  const played = await talk(loadRecording(`${lines.join('\n')}\n`), [...prompts, 'hello'])
  expect(played.slice(0, 2)).toEqual(recorded.slice(0, 2))
  expect(played.map(({ status }) => status)).toEqual([200, 200, 400, 200])
})

it('plays back the tools that a real model called', async () => {
  const toolCalls = [
    { name: 'grep', arguments: { words: 'total' } },
    { name: 'grep', arguments: '{"wor' },
  ]
  const real = await startModelServer({ script: [{ text: 'I look.', toolCalls }] })
  const lines: string[] = []
  const tools = [{ type: 'function', function: { name: 'grep', parameters: { type: 'object' } } }]
  const upstream = { url: real.url, apiKey: 'any' }
  const onRecord = (line: string) => void lines.push(line)
  const recorded = await talk([], ['hello'], { upstream, onRecord }, { tools })
  await real.close()
  expect(real.requests.map((request) => request.tools)).toEqual([
    [{ name: 'grep', definition: JSON.stringify(tools[0]) }],
  ])
  expect(recorded).toMatchObject([
    {
      text: 'I look.',
      finish: 'tool_calls',
      calls: [
        { function: { arguments: '{"words":"total"}' } },
        { function: { arguments: '{"wor' } },
      ],
    },
  ])
  expect(await talk(loadRecording(lines.join('\n')), ['hello'])).toEqual(recorded)
})

async function talk(
  script: ModelScript,
  prompts: readonly string[],
  options: Omit<ModelServerOptions, 'script'> = {},
  more = {},
) {
  const server = await startModelServer({ script, ...options })
  const replies = []
  for (const content of prompts) {
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }], ...more })
    const response = await fetch(`${server.url}/chat/completions`, { method: 'POST', body })
    const { choices, usage } = JSON.parse(await response.text())
    const { message, finish_reason: finish } = choices?.[0] ?? {}
    const calls = message?.tool_calls
    replies.push({ status: response.status, text: message?.content, calls, finish, usage })
  }
  await server.close()
  return replies
}

test.each(['{', '{}', '[]', '{"hash": "a"}', '{"hash": "a", "reply": {"txt": ""}}'])(
  'a recording with the line %s says so',
  (line) => {
    const good = JSON.stringify({ hash: 'a', reply: { text: 'b' } })
    expect(() => loadRecording(`${good}\n\n${line}\n`)).toThrow(/^Line 3 of the recording/)
    expect(() => loadRecording(line)).toThrow(InvalidScript)
  },
)
