import { afterEach, expect, it } from 'vitest'
import { findServers } from '../../../src/adapters/openai/find-servers.ts'
import { list, llamaList, ollamaList, searchOf, startServer, studioList } from './local-servers.ts'
import { closers } from './start-model.ts'

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

it('finds the servers of this machine, and their models', async () => {
  const [ollama, studio, llama] = await Promise.all([
    startServer({ '/v1/models': ollamaList }),
    startServer({ '/v1/models': studioList }),
    startServer({ '/v1/models': llamaList }),
  ])
  const found = await findServers(
    searchOf(
      ['Ollama', ollama.port],
      ['LM Studio', studio.port],
      ['llama.cpp', 9],
      ['vLLM', llama.port],
    ),
  )
  expect(found).toEqual([
    { name: 'Ollama', baseUrl: ollama.baseUrl, models: ['qwen2.5-coder:latest', 'llama3.2:3b'] },
    { name: 'LM Studio', baseUrl: studio.baseUrl, models: ['qwen2.5-coder-7b', 'other'] },
    { name: 'llama.cpp', baseUrl: llama.baseUrl, models: ['1.5b.gguf'] },
  ])
})

it.each([
  ['another program', '<html>Welcome</html>'],
  ['a server without models', list()],
  ['a server that only embeds', list({ id: 'nomic-embed-text' })],
])('%s is none', async (_, answer) => {
  const { port } = await startServer({ '/v1/models': answer })
  expect(await findServers(searchOf(['Ollama', port]))).toEqual([])
})
