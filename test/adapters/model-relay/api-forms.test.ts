import { describe, expect, it, test } from 'vitest'
import {
  admittedBody,
  formOf,
  leadsElsewhere,
  lengthIn,
} from '../../../src/adapters/model-relay/api-forms.ts'

const form = (path: string) => {
  const found = formOf(path)
  if (found === null) throw new Error(`no form for ${path}`)
  return found
}
const admitted = { model: 'ours', maxOutputTokens: 500 }

describe('formOf', () => {
  test.each([
    ['/v1/chat/completions', '/chat/completions'],
    ['/chat/completions', '/chat/completions'],
    ['/v1/responses', '/responses'],
    ['/v1/messages', '/messages'],
    ['/v1/messages/batches', null],
    ['/v1/files', null],
    ['/v1/v1/messages', null],
    ['/v1/responses/../files', null],
  ])('%s is %s', (path, found) => expect(formOf(path)?.path ?? null).toBe(found))
})

describe('admittedBody', () => {
  test.each<[string, string, object, object]>([
    [
      'names our model, and limits an answer without a limit',
      '/responses',
      { model: 'dear', input: 'x' },
      { model: 'ours', input: 'x', max_output_tokens: 500 },
    ],
    [
      'keeps the name of the limit',
      '/chat/completions',
      { max_completion_tokens: 9000 },
      { model: 'ours', max_completion_tokens: 500 },
    ],
    [
      'asks a stream for its usage',
      '/chat/completions',
      { stream: true, stream_options: { include_usage: false } },
      { model: 'ours', stream: true, stream_options: { include_usage: true }, max_tokens: 500 },
    ],
    [
      'drops what is counted twice or costs more',
      '/chat/completions',
      { n: 5, service_tier: 'priority', prediction: {}, modalities: ['audio'], audio: {} },
      { model: 'ours', max_tokens: 500 },
    ],
    [
      "drops other models, and a reseller's plug-ins",
      '/chat/completions',
      { models: ['dear'], fallbacks: ['dear'], MODEL: 'dear', plugins: [{ id: 'web' }], seed: 1 },
      { model: 'ours', max_tokens: 500, seed: 1 },
    ],
    [
      'drops faster and dearer answers',
      '/messages',
      { speed: 'fast', inference_geo: 'us', fallbacks: [{ model: 'dear' }], thinking: {} },
      { model: 'ours', max_tokens: 500, thinking: {} },
    ],
    [
      'drops searches of the endpoint',
      '/chat/completions',
      { web_search_options: {}, tools: [{ type: 'function' }, { type: 'web_search' }] },
      { model: 'ours', max_tokens: 500, tools: [{ type: 'function' }] },
    ],
    [
      'keeps the tools that Codex runs',
      '/responses',
      {
        background: true,
        tools: [
          { type: 'function' },
          { type: 'custom' },
          { type: 'local_shell' },
          { type: 'web_search' },
          { type: 'code_interpreter' },
          { type: 'mcp', server_url: 'https://x' },
          { type: 'shell' },
          7,
        ],
      },
      {
        model: 'ours',
        max_output_tokens: 500,
        tools: [{ type: 'function' }, { type: 'custom' }, { type: 'local_shell' }],
      },
    ],
    [
      'keeps the tools that Claude Code runs',
      '/messages',
      {
        mcp_servers: [{}],
        container: 'c',
        tools: [
          { name: 'Bash' },
          { type: 'bash_20250124' },
          { type: 'web_search_20250305' },
          { type: 'web_fetch_20250910' },
          { type: 'code_execution_20250825' },
        ],
      },
      { model: 'ours', max_tokens: 500, tools: [{ name: 'Bash' }, { type: 'bash_20250124' }] },
    ],
  ])('%s', (_, path, body, wanted) => {
    expect(admittedBody(form(path), { ...body }, admitted)).toEqual(wanted)
  })
})

describe('lengthIn', () => {
  test.each<[object, number]>([
    [{}, 100],
    [{ max_tokens: 5000 }, 100],
    [{ max_tokens: 50, max_completion_tokens: 20 }, 20],
    [{ max_tokens: 'many' }, 100],
    [{ max_tokens: -1 }, 1],
  ])('%o is at most 100: %d', (body, length) => {
    expect(lengthIn(form('/chat/completions'), { ...body }, 100)).toBe(length)
  })
})

describe('leadsElsewhere', () => {
  const chat = (part: object) => ({ messages: [{ role: 'user', content: [part] }] })
  const item = (part: object) => ({ input: [part] })
  test.each<[string, object, boolean]>([
    [
      'a picture of the web',
      chat({ type: 'image_url', image_url: { url: 'https://x/?q=code' } }),
      true,
    ],
    ['a picture as text', chat({ type: 'input_image', image_url: 'http://x' }), true],
    ['another scheme', chat({ image_url: { url: 'gs://bucket/code' } }), true],
    ['a picture in the request', chat({ image_url: { url: 'data:image/png;base64,AA==' } }), false],
    [
      'a file of the web',
      { input: [{ content: [{ type: 'input_file', file_url: 'https://x' }] }] },
      true,
    ],
    [
      'a document of the web',
      chat({ type: 'document', source: { type: 'url', url: 'https://x' } }),
      true,
    ],
    [
      'a document in the request',
      chat({ type: 'document', source: { type: 'base64', data: 'AA==' } }),
      false,
    ],
    [
      'arguments of a tool',
      chat({ type: 'tool_use', input: { source: { type: 'url' }, image_url: 'https://x' } }),
      false,
    ],
    [
      'a picture beside arguments',
      chat({ type: 'tool_use', content: [{ url: 'https://x' }] }),
      true,
    ],
    ['a body like arguments', { type: 'tool_use', ...chat({ image_url: 'https://x' }) }, true],
    ['a film', chat({ type: 'video_url', video_url: { url: 'https://x' } }), true],
    ['in other letters', chat({ IMAGE_URL: { URL: 'https://x' } }), true],
    ['a file whose data is an address', chat({ file: { file_data: 'https://x' } }), true],
    ['a file in the request', chat({ file: { file_data: 'JVBERi0=' } }), false],
    ['a stored file', chat({ type: 'document', source: { type: 'file', file_id: 'f' } }), true],
    ['a stored picture', item({ type: 'input_image', file_id: 'f' }), true],
    ['a stored item', item({ type: 'item_reference', id: 'm' }), true],
    ['a stored conversation', { previous_response_id: 'r', input: 'x' }, true],
    ['no stored conversation', { previous_response_id: null, input: 'x' }, false],
    ['an address in words', { messages: [{ content: 'see https://x' }] }, false],
  ])('%s: %o', (_, body, isNamed) => expect(leadsElsewhere({ ...body })).toBe(isNamed))
  it('reads deep requests', () => {
    let deep: object = { image_url: 'https://x' }
    for (let level = 0; level < 500; level += 1) deep = { content: [deep] }
    expect(leadsElsewhere({ messages: [deep] })).toBe(true)
  })
})
