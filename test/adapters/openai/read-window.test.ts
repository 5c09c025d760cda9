import { afterEach, expect, it, test } from 'vitest'
import { readWindow } from '../../../src/adapters/openai/read-window.ts'
import {
  list,
  llamaList as llama,
  ollamaList as ollama,
  startServer,
  studioList as studio,
} from './local-servers.ts'
import { closers } from './start-model.ts'

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

const ofSlots = { default_generation_settings: { n_ctx: 4_096 }, total_slots: 4 }

const shown = (parameters: string, most = 32_768) => ({
  parameters,
  model_info: { 'general.architecture': 'qwen2', 'qwen2.context_length': most },
})
const running = (context_length: number) => ({
  models: [{ name: 'qwen2.5-coder:latest', model: 'qwen2.5-coder:latest', context_length }],
})

const stored = (more: object) => list({ id: 'qwen2.5-coder-7b', type: 'llm', ...more })

const vllm = list({
  ...{ id: 'Qwen/Qwen2.5-Coder-1.5B', object: 'model', owned_by: 'vllm' },
  ...{ root: 'Qwen/Qwen2.5-Coder-1.5B', max_model_len: 8_192 },
})
const router = list({ id: 'some/model', context_length: 131_072 })

test.each<[string, string, Readonly<Record<string, unknown>>, number | null]>([
  ['llama.cpp, of a slot', '1.5b.gguf', { '/v1/models': llama, '/props': ofSlots }, 4_096],
  ['llama.cpp, by any name', 'gpt-4', { '/v1/models': llama, '/props': ofSlots }, 4_096],
  ['llama.cpp without /props', '1.5b.gguf', { '/v1/models': llama }, 16_384],
  [
    'Ollama, loaded',
    'qwen2.5-coder',
    {
      '/v1/models': ollama,
      '/api/show': shown('num_ctx                        8192\nstop "<|im_end|>"'),
      '/api/ps': running(16_384),
    },
    16_384,
  ],
  [
    'Ollama, as the model is set',
    'qwen2.5-coder:latest',
    {
      '/v1/models': ollama,
      '/api/show': shown('stop "<|im_end|>"\nnum_ctx                        8192'),
      '/api/ps': { models: [] },
    },
    8_192,
  ],
  [
    'Ollama, as it is usual',
    'qwen2.5-coder',
    { '/v1/models': ollama, '/api/show': shown('') },
    4_096,
  ],
  [
    'Ollama, a small model',
    'qwen2.5-coder',
    { '/v1/models': ollama, '/api/show': shown('', 2_048) },
    2_048,
  ],
  [
    'LM Studio, loaded',
    'qwen2.5-coder-7b',
    {
      '/v1/models': studio,
      '/api/v0/models': stored({ max_context_length: 32_768, loaded_context_length: 4_096 }),
    },
    4_096,
  ],
  [
    'LM Studio, not loaded',
    'qwen2.5-coder-7b',
    {
      '/v1/models': studio,
      '/api/v0/models': stored({ state: 'not-loaded', max_context_length: 32_768 }),
    },
    32_768,
  ],
  ['vLLM', 'Qwen/Qwen2.5-Coder-1.5B', { '/v1/models': vllm }, 8_192],
  ['OpenRouter', 'some/model', { '/v1/models': router }, 131_072],
  ['another server', 'script', { '/v1/models': list({ id: 'script' }) }, null],
  ['a server without this model', 'gpt-4', { '/v1/models': studio }, null],
  ['a server without a list', 'gpt-4', {}, null],
  ['a server that says nonsense', 'a', { '/v1/models': '{"data": [{"id": "a", "max' }, null],
  [
    'a server with nonsense for a window',
    'a',
    { '/v1/models': list({ id: 'a', owned_by: 'llamacpp', meta: { n_ctx: '4k' } }) },
    null,
  ],
])('%s', async (_, model, answers, window) => {
  const { baseUrl } = await startServer(answers)
  const server = { baseUrl, apiKey: 'none', signal: new AbortController().signal }
  expect(await readWindow(model, server)).toBe(window)
})

it('says nothing of a server that is not there, or is too slow', async () => {
  const { baseUrl } = await startServer({ '/v1/models': vllm })
  const late = { baseUrl, apiKey: 'none', signal: AbortSignal.abort() }
  expect(await readWindow('Qwen/Qwen2.5-Coder-1.5B', late)).toBeNull()
  const gone = { ...late, baseUrl: 'http://127.0.0.1:9/v1', signal: new AbortController().signal }
  expect(await readWindow('Qwen/Qwen2.5-Coder-1.5B', gone)).toBeNull()
})

it('asks a list that has the window nothing more', async () => {
  const { baseUrl, paths } = await startServer({ '/v1/models': vllm })
  const server = { baseUrl, apiKey: 'none', signal: new AbortController().signal }
  await readWindow('Qwen/Qwen2.5-Coder-1.5B', server)
  expect(paths).toEqual(['/v1/models'])
})
