import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { init } from '../../../src/entry/cli/commands/init.ts'
import type { Terminal } from '../../../src/entry/cli/terminal.ts'
import { ollamaList, searchOf, startServer } from '../../adapters/openai/local-servers.ts'
import { closers } from '../../adapters/openai/start-model.ts'

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

async function initialize(environment: Terminal['environment']) {
  const directory = mkdtempSync(join(tmpdir(), 'executor-init-'))
  execFileSync('git', ['init', '-q', directory])
  const { port, baseUrl, paths } = await startServer({ '/v1/models': ollamaList })
  const said: string[] = []
  const terminal: Terminal = {
    ...{ directory, environment, isTTY: false, live: null },
    say: (text) => said.push(text),
    print: (text) => said.push(text),
    paint: (_, text) => text,
    redact: (text) => text,
  }
  await init({}, terminal, searchOf(['Ollama', port]))
  const config = readFileSync(join(directory, '.github/executor.yml'), 'utf8')
  rmSync(directory, { recursive: true, force: true })
  return { said: said.join('\n'), config, baseUrl, paths }
}

it('init says which models this machine has, and decides nothing without a person', async () => {
  const { said, config, baseUrl } = await initialize({})
  expect(said).toContain(`models    Ollama at ${baseUrl}: qwen2.5-coder:latest, llama3.2:3b`)
  expect(config).toContain('# base-url: https://api.openai.com/v1')
})

it.each([
  ['a key', { OPENAI_API_KEY: 'sk-1' }],
  ['a model', { OPENAI_MODEL: 'gpt-5' }],
  ['an endpoint', { OPENAI_BASE_URL: 'http://10.0.0.1/v1' }],
])('init looks for none with %s', async (_, environment) => {
  const { said, paths } = await initialize(environment)
  expect(said).not.toContain('Ollama at')
  expect(paths).toEqual([])
})
