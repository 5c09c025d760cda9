import { expect, test } from 'vitest'
import { findApiKey } from '../../../src/entry/compose/compose.ts'
import { someSettings } from '../../fakes/facts.ts'

const settingsAt = (baseUrl: string) => {
  const settings = someSettings()
  return { ...settings, model: { ...settings.model, name: 'any', baseUrl } }
}

test.each([
  'http://127.0.0.1:11434/v1',
  'http://localhost:1234/v1',
  'http://[::1]:8080/v1',
  'http://192.168.1.7:8000/v1',
  'http://ollama:11434/v1',
])('%s needs no key', (baseUrl) => {
  expect(findApiKey(settingsAt(baseUrl), {})).not.toBe('')
  expect(findApiKey(settingsAt(baseUrl), { OPENAI_API_KEY: '' })).not.toBe('')
  expect(findApiKey(settingsAt(baseUrl), { OPENAI_API_KEY: 'sk-mine' })).toBe('sk-mine')
})

test('the usual endpoint needs one', () => {
  const find = () => findApiKey(settingsAt('https://api.openai.com/v1'), {})
  expect(find).toThrow('OPENAI_API_KEY is not set, and https://api.openai.com/v1 needs a key')
})
