import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const execute = promisify(execFile)
const project = join(import.meta.dirname, '../../..')

/** Writes the address of each module that is loaded to standard error. */
const spy = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    process.stderr.write('LOADED ' + url + '\\n')
    return next(url, context)
  },
})`)}`

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'loaded-'))
  await writeFile(join(root, 'ROADMAP.md'), '- [ ] T-1: Add a greeting\n')
  const git = (...words: string[]) =>
    execute('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: root })
  await git('init', '-q', '-b', 'main')
  await git('add', '.')
  await git('commit', '-q', '-m', 'first')
})
afterAll(() => rm(root, { recursive: true }))

/** Libraries that a whole run loads, as far as it comes without a model. */
async function load(environment: Readonly<Record<string, string>>): Promise<ReadonlySet<string>> {
  const cli = join(project, 'src/entry/cli.ts')
  const words = ['--import', spy, cli, 'run', '--dry-run', '--model', 'none']
  const { stderr } = await execute(process.execPath, words, {
    cwd: root,
    maxBuffer: 20_000_000,
    env: { PATH: process.env.PATH, HOME: root, XDG_CACHE_HOME: root, ...environment },
  })
  expect(stderr).toContain('[DRY RUN]')
  const found = stderr.matchAll(/^LOADED .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)
  return new Set([...found].map(([, name = '']) => name))
}

describe('the libraries for logs and telemetry', () => {
  it('are not loaded before they are wanted', async () => {
    const loaded = await load({})
    expect(loaded).toContain('openai')
    expect([...loaded].filter((name) => /^(?:@opentelemetry\/|pino)/.test(name))).toEqual([])
  })

  it('are loaded for a receiver', async () => {
    // Nobody listens there: that must not matter.
    const loaded = await load({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
    expect(loaded).toContain('@opentelemetry/sdk-trace-base')
  })
})
