import { expect, test } from 'vitest'
import { isNearby } from '../../../src/adapters/openai/endpoint.ts'

test.each([
  ['http://127.0.0.1:8080/v1', true],
  ['http://localhost:11434/v1', true],
  ['http://[::1]:1234/v1', true],
  ['http://192.168.1.20/v1', true],
  ['http://10.0.0.3:8000/v1', true],
  ['http://172.20.0.2/v1', true],
  ['http://[fd12::1]/v1', true],
  ['http://ollama:11434/v1', true],
  ['http://gpu.local/v1', true],
  ['http://host.docker.internal:11434/v1', true],
  ['https://api.openai.com/v1', false],
  ['https://openrouter.ai/api/v1', false],
  ['http://172.32.0.1/v1', false],
  ['http://8.8.8.8/v1', false],
  ['https://localhost.example.com/v1', false],
  ['http://[2001:db8::1]/v1', false],
  ['no address', false],
])('%s: %s', (url, isNear) => {
  expect(isNearby(url)).toBe(isNear)
})
