import { afterEach, expect, it } from 'vitest'
import { checkLocalModels, describeServer } from '../../../src/adapters/doctor/doctor-local.ts'
import { checkModel } from '../../../src/adapters/doctor/doctor-model.ts'
import { someSettings } from '../../fakes/facts.ts'
import { llamaList, ollamaList, searchOf, startServer } from '../openai/local-servers.ts'
import { closers } from '../openai/start-model.ts'

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

it('lists the models of this machine, and how to use one', async () => {
  const { port, baseUrl } = await startServer({ '/v1/models': ollamaList })
  const checks = await checkLocalModels(searchOf(['Ollama', port], ['vLLM', 9]))
  expect(checks).toEqual([
    {
      ...{ name: 'local models', status: 'ok' },
      detail: `Ollama at ${baseUrl}: qwen2.5-coder:latest, llama3.2:3b`,
      next: `To use it, add to .github/executor.yml: base-url: ${baseUrl} and model: qwen2.5-coder:latest`,
    },
  ])
})

it('names five models of many', () => {
  const models = Array.from({ length: 12 }, (_, at) => `m${at}`)
  const server = { name: 'Ollama', baseUrl: 'http://x/v1', models }
  expect(describeServer(server)).toBe('Ollama at http://x/v1: m0, m1, m2, m3, m4 and 7 more')
})

it('names the context window of a model that answers', async () => {
  const choices = [{ message: { content: 'ok' }, finish_reason: 'stop' }]
  const { baseUrl } = await startServer({
    '/v1/models': llamaList,
    '/props': { default_generation_settings: { n_ctx: 16_384 } },
    '/v1/chat/completions': { choices },
  })
  const settings = { ...someSettings().model, baseUrl, name: '1.5b.gguf' }
  const { status, detail } = await checkModel({ settings, apiKey: 'none', asks: true })
  expect(status).toBe('ok')
  expect(detail).toMatch(/tokens\); its context window is 16,384 tokens$/)
})
