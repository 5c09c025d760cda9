import { get, type IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createSealedCookies } from '../../../../src/entry/app/pages/sealed-cookies.ts'
import { readEnvironment } from '../../../../src/entry/app/read-environment.ts'
import { appKey, webhookSecret } from '../app-key.ts'
import { attack, type OpenPages, openPages, pagesToken, registration } from './open-pages.ts'

let pages: OpenPages
let jar: Map<string, string>
let answers: string[]

beforeEach(async () => {
  pages = await openPages()
  jar = new Map()
  answers = []
})
afterEach(() => pages[Symbol.asyncDispose]())

type Form = Readonly<Record<string, string>>

/** One request of a browser, with its cookies; it follows nothing. */
async function ask(path: string, form?: Form, headers: Form = {}) {
  const target = path.startsWith('http') ? path : `${pages.url}${path}`
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(target, {
    ...{ redirect: 'manual', headers: { ...headers, ...(cookie !== '' && { cookie }) } },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })
  const set = answer.headers.getSetCookie()
  for (const one of set) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
    if (value === '') jar.delete(name)
    else jar.set(name, value)
  }
  const text = await answer.text()
  answers.push(text)
  const location = answer.headers.get('location') ?? ''
  return { status: answer.status, location, text, set, headers: answer.headers }
}

async function logIn(login: string) {
  pages.bench.server.signIn(login)
  const { location: toGitHub } = await ask('/login/github')
  const { location: back } = await ask(toGitHub)
  return ask(back)
}

const logInAsOperator = () => ask('/login', { token: pagesToken })

describe('without a setting', () => {
  it('there are no pages of jobs', async () => {
    await pages[Symbol.asyncDispose]()
    pages = await openPages({})
    for (const path of ['/jobs', '/jobs/job-1', '/jobs/job-1/report', '/login', '/login/github']) {
      expect([path, (await ask(path)).status]).toEqual([path, 404])
    }
    expect((await ask('/login', { token: pagesToken })).status).toBe(404)
    expect((await ask('/')).text).not.toContain('/jobs')
  })

  const whole = { APP_ID: '1', PRIVATE_KEY: appKey, WEBHOOK_SECRET: webhookSecret }
  it.each<[Form, RegExp]>([
    [{ EXECUTOR_PAGES: 'yes' }, /neither on nor off/],
    [{ EXECUTOR_PAGES: 'on' }, /neither EXECUTOR_PAGES_TOKEN nor GITHUB_CLIENT_ID/],
    [{ EXECUTOR_PAGES_TOKEN: 'short' }, /fewer than 16/],
  ])('%j is refused at the start', async (change, message) => {
    const reading = readEnvironment({ ...whole, ...change }, { takesWebhooks: true })
    await expect(reading).rejects.toThrow(message)
    const worker = await readEnvironment({ ...whole, ...change }, { takesWebhooks: false })
    expect(worker.pages, 'a worker has no pages').toBeNull()
  })
})

describe('the operator', () => {
  it('enters with the token, sees all jobs, and leaves', async () => {
    expect(await ask('/jobs')).toMatchObject({ status: 303, location: '/login' })
    const entered = await logInAsOperator()
    expect(entered).toMatchObject({ status: 303, location: '/jobs' })
    expect(entered.set).toEqual([
      expect.stringMatching(
        /^executor-session=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=28800$/,
      ),
    ])
    const { text } = await ask('/jobs')
    expect(text.match(/href="\/jobs\/job-\d"/g)).toHaveLength(5)
    for (const words of [
      'Running (1)',
      'Waiting (1)',
      'Failed (1)',
      'Done (2)',
      'Installations (2)',
    ])
      expect(text).toContain(words)
    expect((await ask('/jobs/job-5/report')).status).toBe(200)
    await ask('/logout', {})
    expect(await ask('/jobs')).toMatchObject({ status: 303, location: '/login' })
  })

  it('does not enter with another token, nor by a form of another site', async () => {
    for (const token of ['', `${pagesToken} `, pagesToken.slice(1), 'x'.repeat(10_000)])
      expect((await ask('/login', { token })).status).toBe(403)
    const elsewhere = { 'sec-fetch-site': 'cross-site' }
    expect((await ask('/login', { token: pagesToken }, elsewhere)).status).toBe(403)
    await logInAsOperator()
    expect((await ask('/logout', {}, elsewhere)).status).toBe(404)
    expect((await ask('/jobs')).status).toBe(200)
    expect(pages.lines.join('\n')).toMatch(/wrong token was refused/)
  })
})

describe('a person', () => {
  it('sees the jobs of their repositories, and of no others', async () => {
    expect(await logIn('ada')).toMatchObject({ status: 303, location: '/jobs' })
    const { text } = await ask('/jobs')
    expect(text.match(/href="\/jobs\/job-\d"/g)?.toSorted()).toEqual(
      [1, 2, 3, 4].map((number) => `href="/jobs/job-${number}"`),
    )
    expect(text).not.toContain('mallory')
    expect((await ask('/jobs/job-1')).text).toContain('href="/jobs/job-1/report"')
    expect((await ask('/jobs/job-1/report')).text).toMatch(/\d+ pull requests? to review/)
    // A job of someone else is like one that does not exist.
    const none = await ask('/jobs/no-such-job')
    for (const path of ['/jobs/job-5', '/jobs/job-5/report', '/jobs/no-such-job/report'])
      expect(await ask(path)).toMatchObject({ status: 404, text: none.text })
    expect(pages.bench.server.contractViolations).toEqual([])
  })

  it('sees nothing more once GitHub shows it no longer, and logs in again when the token ends', async () => {
    await logIn('mallory')
    expect((await ask('/jobs/job-5')).status).toBe(200)
    const { faults } = pages.bench.server
    await logIn('ada')
    faults.add({
      method: 'GET',
      path: '/user/installations',
      effect: { kind: 'status', status: 500, when: 'before' },
    })
    expect((await ask('/jobs')).status).toBe(503)
    faults.add({
      method: 'GET',
      path: '/user/installations',
      effect: { kind: 'status', status: 401, when: 'before' },
    })
    expect(await ask('/jobs')).toMatchObject({ status: 303, location: '/login' })
    pages.bench.server.setPermission('ada', 'engine', 'ada', 'none')
    expect((await ask('/jobs')).text).toContain('There are no jobs')
    expect((await ask('/jobs/job-1')).status).toBe(404)
  })

  it('is not logged in by an answer to a login that was not started here', async () => {
    pages.bench.server.signIn('ada')
    const { location: toGitHub } = await ask('/login/github')
    const sent = new URL(toGitHub).searchParams
    expect([sent.get('code_challenge_method'), sent.get('code_challenge')?.length]).toEqual([
      'S256',
      43,
    ])
    const { location: back } = await ask(toGitHub)
    const kept = new Map(jar)
    const changed = back.replace(/state=[^&]*/, 'state=forged')
    for (const path of [
      changed,
      back.replace(/&?state=[^&]*/, ''),
      back.replace(/code=[^&]*&?/, ''),
    ]) {
      jar = new Map(kept)
      expect([path, (await ask(path)).status]).toEqual([path, 403])
      expect(jar.has('executor-session')).toBe(false)
    }
    // As in a browser that someone else's link brought here.
    jar.clear()
    expect((await ask(back)).status).toBe(403)
    // The verifier of another login does not fit.
    await ask('/login/github')
    const other = jar.get('executor-login') ?? ''
    jar = new Map([['executor-login', other]])
    expect((await ask(back)).status).toBe(403)
    jar = new Map(kept)
    expect((await ask(back)).status).toBe(303)
    jar = new Map(kept)
    expect((await ask(back)).status, 'a code counts once').toBe(403)
    jar = new Map(kept)
    const { location: second } = await ask(toGitHub)
    expect((await ask(second)).status, 'a login counts once').toBe(403)
    expect(jar.has('executor-session')).toBe(false)
  })

  it('names no address to GitHub that another host made up', async () => {
    pages.bench.server.signIn('ada')
    const foreign = { host: 'evil.example', 'x-forwarded-proto': 'https' }
    // fetch would send its own host.
    const location = await new Promise<string>((resolve, reject) => {
      const take = (answer: IncomingMessage) => {
        answer.resume()
        resolve(answer.headers.location ?? '')
      }
      get(`${pages.url}/login/github`, { headers: foreign }, take).once('error', reject)
    })
    expect(new URL(location).searchParams.has('redirect_uri')).toBe(false)
    const { location: own } = await ask('/login/github')
    expect(new URL(own).searchParams.get('redirect_uri')).toBe(`${pages.url}/login/callback`)
  })
})

describe('a session', () => {
  it.each<[string, (cookie: string) => string]>([
    ['nothing', () => ''],
    [
      'plain JSON',
      () => Buffer.from('{"until":9e15,"value":{"kind":"operator"}}').toString('base64url'),
    ],
    ['one changed byte', (cookie) => (cookie.startsWith('A') ? 'B' : 'A') + cookie.slice(1)],
    ['a changed end', (cookie) => cookie.slice(0, -2) + (cookie.endsWith('AA') ? 'BB' : 'AA')],
    ['a cut one', (cookie) => cookie.slice(0, 30)],
    [
      'another key',
      () => {
        const { set } = createSealedCookies('another secret', Date.now)
        return /=([^;]+)/.exec(set('session', { kind: 'operator' }, 100, false))?.[1] ?? ''
      },
    ],
  ])('that is %s is none', async (_, forge) => {
    await logInAsOperator()
    const forged = forge(jar.get('executor-session') ?? '')
    jar = new Map([['executor-session', forged]])
    expect(await ask('/jobs')).toMatchObject({ status: 303, location: '/login' })
    expect(await ask('/jobs/job-1/report')).toMatchObject({ status: 303, location: '/login' })
  })

  it('ends, and counts only under its own name and prefix', () => {
    let now = 1_000_000
    const { set, clear, read } = createSealedCookies('secret', () => now)
    const shape = z.object({ a: z.number() })
    const cookie = set('session', { a: 1 }, 60, true)
    expect(cookie).toMatch(
      /^__Host-executor-session=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=60; Secure$/,
    )
    const [text = ''] = cookie.split(';')
    const opened = (header: string, name = 'session', isSecure = true) =>
      read({ headers: { cookie: header } }, name, shape, isSecure)
    expect(opened(`other=1; ${text}`)).toEqual({ a: 1 })
    expect(opened(text, 'session', false)).toBeNull()
    expect(opened(text.replace('-session', '-login'), 'login')).toBeNull()
    expect(opened(text.replace('__Host-', ''))).toBeNull()
    now += 60_000
    expect(opened(text)).toBeNull()
    expect(clear('session', true)).toContain('Max-Age=0')
  })

  it('is Secure behind TLS', async () => {
    const proxy = { 'x-forwarded-proto': 'https' }
    const { set } = await ask('/login', { token: pagesToken }, proxy)
    expect(set[0]).toMatch(/^__Host-executor-session=.*; Secure$/)
  })
})

describe('every page', () => {
  it('loads nothing, is kept and framed by no one, and shows no secret', async () => {
    await logIn('ada')
    for (const path of [
      '/',
      '/login',
      '/jobs',
      '/jobs/job-2',
      '/jobs/none',
      '/jobs/job-1/report',
    ]) {
      const { headers, text } = await ask(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy, path).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+';.*frame-ancestors 'none'/,
      )
      expect(policy).not.toMatch(/unsafe|\*|https?:\/\//)
      if (!path.endsWith('report')) expect(policy).not.toContain('script')
      expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
        ...['no-store', 'nosniff'],
      ])
      expect(text).not.toContain(attack)
    }
    const secrets = [
      webhookSecret,
      registration.clientSecret,
      pagesToken,
      appKey.slice(100, 160),
      'ghu_',
    ]
    for (const text of [...answers, ...pages.lines])
      for (const secret of secrets) expect(text).not.toContain(secret)
  })
})
