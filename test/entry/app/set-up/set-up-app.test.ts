import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type Bench, openBench } from '../../../../packages/github-simulator/test/github/bench.ts'
import { createRedactor } from '../../../../packages/text/secrets/redact.ts'
import { isUnregistered, readEnvironment } from '../../../../src/entry/app/read-environment.ts'
import { readCredentials } from '../../../../src/entry/app/set-up/credentials.ts'
import { setUpApp } from '../../../../src/entry/app/set-up/set-up-app.ts'
import { appKey, appPublicKey, webhookSecret } from '../app-key.ts'

const registration = {
  ...{ privateKey: appKey, webhookSecret },
  ...{ clientId: 'Iv1.0123456789abcdef', clientSecret: 'c11e47-5ec2e7-0f-the-app' },
}
const secrets = [webhookSecret, registration.clientSecret, appKey.slice(100, 160)]

let bench: Bench
let directory: string
let lines: string[]
let answers: string[]
let stop: AbortController
let running: Promise<void>
let base: string
let token: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'set-up-'))
  const app = { id: 77, slug: 'executor', publicKey: appPublicKey, registration }
  bench = await openBench({}, { app })
  bench.server.signIn('ada')
  lines = []
  answers = []
  stop = new AbortController()
  const { url: serverUrl, apiUrl } = bench.server
  const listening = Promise.withResolvers<string>()
  const place = { directory, host: '127.0.0.1', port: 0, publicUrl: null, serverUrl, apiUrl }
  const redact = createRedactor([])
  const log = (line: string) => {
    lines.push(redact(line))
    listening.resolve(redact(line))
  }
  running = setUpApp(place, { log, redact }, stop.signal)
  ;[, base = '', token = ''] = /(http\S+)\/\?token=(\S+)$/.exec(await listening.promise) ?? []
})

afterEach(async () => {
  stop.abort()
  await running
  await bench[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})

async function get(path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${base}${path}`, { redirect: 'manual', headers })
  const text = await answer.text()
  answers.push(text)
  return { status: answer.status, text, headers: answer.headers }
}

const plain = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

/** What the browser would send to GitHub. */
async function openForm(query = '') {
  const { text } = await get(`/?token=${token}${query}`)
  const action = plain(/action="([^"]+)" method="post"/.exec(text)?.[1] ?? '')
  const manifest = plain(/name="manifest" value="([^"]+)"/.exec(text)?.[1] ?? '')
  return { action, manifest }
}

/** Presses the button, and answers where GitHub sends the browser back to. */
async function register({ action, manifest }: Readonly<Record<'action' | 'manifest', string>>) {
  const body = new URLSearchParams({ manifest })
  const answer = await fetch(action, { method: 'POST', body, redirect: 'manual' })
  const location = answer.headers.get('location') ?? ''
  return location.replace(base, '')
}

describe('the set-up', () => {
  it('registers the App, and keeps what GitHub hands over in a file of its own', async () => {
    const form = await openForm()
    const back = await register(form)
    const done = await get(back)
    expect([done.status, done.text]).toEqual([
      200,
      expect.stringContaining(`${bench.server.url}/apps/executor/installations/new`),
    ])
    await running
    const { mode } = await stat(join(directory, 'app.json'))
    expect([mode & 0o777, await readdir(directory)]).toEqual([0o600, ['app.json']])
    const environment = { EXECUTOR_DATA: directory }
    expect(await isUnregistered(environment)).toBe(false)
    expect(await readEnvironment(environment, { takesWebhooks: true })).toMatchObject({
      ...{ appId: 77, webhookSecret, publicUrl: base },
    })
    for (const text of [...lines, ...answers])
      for (const secret of secrets) expect(text).not.toContain(secret)
    expect(bench.server.contractViolations).toEqual([])
  })

  it('asks GitHub for exactly what app.yml lists, at this address', async () => {
    const { action, manifest } = await openForm()
    const { default_permissions, default_events } = parse(await readFile('app.yml', 'utf8'))
    expect(JSON.parse(manifest)).toMatchObject({
      ...{ default_permissions, default_events, public: false },
      hook_attributes: { url: `${base}/api/github/webhooks`, active: true },
      redirect_url: `${base}/setup`,
      callback_urls: [`${base}/login/callback`],
    })
    expect(action).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/settings\/apps\/new\?state=[\w-]{32}$/)
    const { action: other } = await openForm('&organisation=acme')
    expect(other).toContain('/organizations/acme/settings/apps/new?state=')
  })

  it.each([
    ['another host', { host: 'executor.example.com' }, 'http://executor.example.com'],
    [
      'a proxy with TLS',
      { host: 'executor.example.com', 'x-forwarded-proto': 'https' },
      'https://executor.example.com',
    ],
  ])('writes the address of %s into the manifest', async (_, headers, origin) => {
    // fetch sets no Host of one's own.
    const { request } = await import('node:http')
    const text = await new Promise<string>((resolve) => {
      request(`${base}/?token=${token}`, { headers }, async (answer) => {
        resolve((await answer.toArray()).join(''))
      }).end()
    })
    expect(text).toContain(`${origin}/api/github/webhooks`)
  })

  it('shows its forms to no one without the token, and answers /healthz to everyone', async () => {
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    for (const [path, status] of [
      ['/', 200],
      ['/?token=', 403],
      [`/?token=${forged}`, 403],
      [`/?token=${token.toUpperCase()}x`, 403],
      ['/?token=%00%ff', 403],
      ['/jobs', 404],
      ['//[', 404],
    ] as const) {
      const answer = await get(path)
      expect([path, answer.status]).toEqual([path, status])
      expect(answer.text).not.toMatch(/<form|name="manifest"/)
    }
    const ping = await fetch(`${base}/api/github/webhooks`, { method: 'POST', body: '{}' })
    expect(ping.status, 'GitHub pings before the secret is here').toBe(503)
    expect((await get('/healthz')).text).toContain('waits for set-up')
    const { headers } = await get(`/?token=${token}`)
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src ${/style-src (\S+);/.exec(headers.get('content-security-policy') ?? '')?.[1]}; img-src data:; form-action 'self' ${bench.server.url}; base-uri 'none'; frame-ancestors 'none'`,
    )
    expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
      'no-store',
      'nosniff',
    ])
  })

  it('takes no code without a state that it gave out, and each state once', async () => {
    const form = await openForm()
    const back = await register(form)
    const code = new URLSearchParams(back.split('?')[1]).get('code')
    for (const path of [
      `/setup?code=${code}`,
      `/setup?code=${code}&state=`,
      `/setup?code=${code}&state=${'A'.repeat(32)}`,
    ])
      expect((await get(path)).status).toBe(403)
    for (const hostile of ['no-such-code', '../../user', 'a%2F..%2F..%2Fuser', '']) {
      const state = new URL((await openForm()).action).searchParams.get('state')
      expect((await get(`/setup?code=${hostile}&state=${state}`)).status, hostile).toBe(403)
      expect((await get(`/setup?code=${code}&state=${state}`)).status, 'used').toBe(403)
    }
    expect(await readCredentials(directory)).toBeNull()
    expect(bench.server.requests.filter(({ path }) => path.includes('/user'))).toEqual([])
    expect(lines.join('\n')).toMatch(/without a valid state was refused/)
  })

  it('escapes what it is asked with', async () => {
    const hostile = encodeURIComponent('"><script>alert(1)</script>')
    const { text } = await get(`/?token=${token}&organisation=${hostile}`)
    expect(text).not.toContain('<script')
    expect(text).toContain(`${bench.server.url}/settings/apps/new?state=`)
  })
})

describe('a saved App', () => {
  const saved = {
    appId: 5,
    privateKey: appKey,
    webhookSecret,
    clientId: 'a',
    clientSecret: 'b',
    url: 'http://x',
  }
  const save = () => writeFile(join(directory, 'app.json'), JSON.stringify(saved))

  it('yields to the variables', async () => {
    await save()
    const read = (more: object) =>
      readEnvironment({ EXECUTOR_DATA: directory, ...more }, { takesWebhooks: true })
    const other = `${webhookSecret}ff`
    expect(await read({ WEBHOOK_SECRET: other, APP_ID: '' })).toMatchObject({
      appId: 5,
      webhookSecret: other,
    })
    const named = { APP_ID: '6', PRIVATE_KEY: appKey, WEBHOOK_SECRET: other }
    expect(await read(named)).toMatchObject({ appId: 6, webhookSecret: other })
    await expect(read({ APP_ID: '6' })).rejects.toThrow(/neither PRIVATE_KEY/)
  })

  it('that is damaged stops the start, and its text is not shown', async () => {
    await writeFile(join(directory, 'app.json'), JSON.stringify(saved).slice(0, 300))
    const reading = readEnvironment({ EXECUTOR_DATA: directory }, { takesWebhooks: true })
    await expect(reading).rejects.toMatchObject({ code: 'app_not_configured' })
    await expect(reading).rejects.not.toThrow(/BEGIN|a1b2c3/)
  })
})
