import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { validateFile } from '../../../packages/judge/validate/validate-file.ts'
import { version } from '../../../src/entry/version.ts'
import { appKey, webhookSecret } from '../../entry/app/app-key.ts'

const project = join(import.meta.dirname, '../../..')
const dockerfile = readFileSync(join(project, 'Dockerfile'), 'utf8')

/** What the image starts: `["node", "dist/cli.cjs", "app"]`. */
const [program, script = '', ...words] = JSON.parse(/^CMD (.+)$/m.exec(dockerfile)?.[1] ?? '[]')

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'app-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const logLine = z.object({ level: z.string(), time: z.string(), message: z.string() })

const secrets = { APP_ID: '1', PRIVATE_KEY: appKey, WEBHOOK_SECRET: webhookSecret }

/** Starts the program in an empty folder, with nothing of this environment. */
function start(name: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const cwd = join(folder, name)
  mkdirSync(cwd)
  const child = spawn(process.execPath, [join(project, script), ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const lines: string[] = []
  const listening = new Promise<string>((resolve) => {
    createInterface(child.stderr).on('line', (line) => {
      throw new Error(`This line is not in the log: ${line}`)
    })
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line)
      const { level, time, message } = logLine.parse(JSON.parse(line))
      expect([level, Date.parse(time)]).toEqual([
        expect.stringMatching(/^(?:info|warn|error)$/),
        expect.any(Number),
      ])
      const found = /(?:listens at (\S+),|Set it up at (\S+)$)/
        .exec(message)
        ?.slice(1)
        .find(Boolean)
      if (found !== undefined) resolve(found)
    })
  })
  return { child, exited, listening, said: () => lines.join('\n') }
}

describe('the image', () => {
  it('is built from a Dockerfile that our own validator takes', async () => {
    const check = async () => ({ status: 'unavailable', reason: 'nobody asks' }) as const
    const report = await validateFile(
      { path: 'Dockerfile', text: dockerfile },
      { syntax: { check } },
    )
    expect(report).toMatchObject({ language: 'dockerfile', checked: true, problems: [] })
    expect(program).toBe('node')
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(dockerfile).toMatch(/--omit=dev --omit=optional/)
    for (const tool of ['git', 'bubblewrap', 'ca-certificates']) expect(dockerfile).toContain(tool)
  })

  it('starts in an empty folder, answers, keeps a webhook, and stops when it is asked to', async () => {
    const app = start('image', words, secrets)
    const url = await app.listening
    const health = await fetch(`${url}/healthz`)
    expect([health.status, await health.json()]).toEqual([
      200,
      { status: 'ok', version, jobs: { waiting: 0, active: 0, done: 0, failed: 0 } },
    ])
    const body = JSON.stringify({ action: 'opened', zen: 'Keep it logically awesome.' })
    const signature = createHmac('sha256', webhookSecret).update(body).digest('hex')
    const answer = await fetch(`${url}/api/github/webhooks`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'ping',
        'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
        'x-hub-signature-256': `sha256=${signature}`,
      },
      body,
    })
    expect(answer.status).toBe(200)
    app.child.kill('SIGTERM')
    const [code] = await app.exited
    expect(code, app.said()).toBe(0)
  })
})

describe('without an App', () => {
  it('the image serves the set-up, with the manifest of app.yml, until it is asked to stop', async () => {
    const app = start('set-up', words, {})
    const page = await fetch(await app.listening)
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('&quot;actions_variables&quot;:&quot;read&quot;'),
    ])
    app.child.kill('SIGTERM')
    const [code] = await app.exited
    expect(code, app.said()).toBe(0)
  })
})

describe('the log', () => {
  it('is JSON to the last line, also of a warning of Node and of a crash', async () => {
    const app = start('crash', words, {
      ...secrets,
      NODE_OPTIONS: `--import "data:text/javascript,process.on('SIGUSR2', () => { process.emitWarning('a warning'); setImmediate(() => { throw new Error('a crash') }) })"`,
    })
    await app.listening
    app.child.kill('SIGUSR2')
    const [code] = await app.exited
    expect(code, app.said()).toBe(5)
    expect(app.said()).toMatch(/"level":"warn".*Warning: a warning/)
    expect(app.said()).toMatch(/"level":"error".*a crash/)
  })
})

describe('a set-up that is not whole', () => {
  it.each<[string, readonly string[], Readonly<Record<string, string>>, RegExp]>([
    ['no key', ['app'], { APP_ID: '1' }, /neither PRIVATE_KEY nor/],
    [
      'a known secret',
      ['app'],
      { ...secrets, WEBHOOK_SECRET: 'development' },
      /WEBHOOK_SECRET protects/,
    ],
    ['a worker alone', ['worker'], secrets, /DATABASE_URL is not set/],
    ['no worker', ['app', '--no-worker'], secrets, /DATABASE_URL is not set/],
  ])('is told so and exits with 2: %s', async (name, args, env, said) => {
    const app = start(name.replaceAll(' ', '-'), args, env)
    const [code] = await app.exited
    expect(app.said()).toMatch(said)
    expect(app.said()).toMatch(/"level":"error".*"next":"/)
    expect(code).toBe(2)
  })

  it('that lacks the libraries of the App says how to get them', async () => {
    const dist = join(folder, 'alone', 'dist')
    cpSync(join(project, 'dist'), dist, { recursive: true })
    const child = spawn(process.execPath, [join(dist, 'cli.cjs'), 'app'], {
      cwd: folder,
      env: { ...secrets },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines: string[] = []
    createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line).message))
    const [code] = await once(child, 'exit')
    expect(lines.join('\n')).toMatch(/only the App needs[\s\S]*^ {2}npm ci$/m)
    expect(code).toBe(2)
  })
})

describe('the Action and the other commands', () => {
  it('load neither Probot nor the queue', () => {
    const seen = new Set<string>()
    const walk = (name: string, imports: RegExp): void => {
      if (seen.has(name)) return
      seen.add(name)
      const code = readFileSync(join(project, 'dist', name), 'utf8')
      expect(code, name).not.toMatch(
        /(?:from|import\(?)\s*["'`](?:probot|pg-boss|@electric-sql\/pglite)["'`]/,
      )
      for (const [, next = ''] of code.matchAll(imports)) walk(next, imports)
    }
    // What the Action ever loads; of the CLI, what it loads at once.
    walk('action.cjs', /require\(\s*["'`]\.\/([\w.-]+\.cjs)["'`]/g)
    walk('cli.cjs', /(?:from|import)\s*["'`]\.\/([\w.-]+\.mjs)["'`]/g)
    expect(seen.size).toBeGreaterThan(2)
  })
})
