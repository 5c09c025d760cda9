import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OpenPages, openPages } from './open-pages.ts'

let pages: OpenPages
beforeAll(async () => {
  pages = await openPages()
  pages.bench.server.signIn('ada')
})
afterAll(() => pages[Symbol.asyncDispose]())

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** One request with exactly these headers: fetch would send its own host. */
function ask(path: string, { method = 'GET', headers = {} }: Asked = {}) {
  return new Promise<{ status: number; location: string; cookies: readonly string[] }>(
    (resolve, reject) => {
      const sent = request(`${pages.url}${path}`, { method, headers }, (answer) => {
        answer.resume()
        resolve({
          status: answer.statusCode ?? 0,
          location: answer.headers.location ?? '',
          cookies: (answer.headers['set-cookie'] ?? []).map((each) => each.split(';')[0] ?? ''),
        })
      })
      sent.once('error', reject).end()
    },
  )
}

/** The address that GitHub is told to send the browser back to. */
const namedTo = (location: string): string | null =>
  new URL(location).searchParams.get('redirect_uri')

it.each<[string, Readonly<Record<string, string>>]>([
  ['another host', { host: 'evil.example' }],
  ['another host with a port', { host: 'evil.example:443' }],
  ['a host that begins like this machine', { host: 'localhost.evil.example' }],
  ['a host that begins like its address', { host: '127.0.0.1.evil.example' }],
  ['a host that ends like this machine', { host: 'evil-localhost' }],
  ['an address of another machine', { host: '[2001:db8::1]:80' }],
  ['an address within another notation', { host: '[::ffff:203.0.113.9]' }],
  ['a name in capitals', { host: 'EVIL.EXAMPLE' }],
  ['a user before the host', { host: 'localhost@evil.example' }],
  ['a path after the host', { host: 'evil.example/localhost' }],
  ['a fragment after the host', { host: 'evil.example#.localhost' }],
  ['two hosts', { host: 'localhost, evil.example' }],
  ['a port that there is not', { host: 'evil.example:99999' }],
  ['an address that there is not', { host: '1.2.3.999' }],
  ['a proxy for another host', { 'x-forwarded-host': 'evil.example' }],
  ['a chain of proxies', { forwarded: 'host=evil.example;proto=https', 'x-host': 'evil.example' }],
  ['a rewritten path', { 'x-original-url': '//evil.example', 'x-rewrite-url': '//evil.example' }],
])('names no foreign address to GitHub: %s', async (_, headers) => {
  const { status, location } = await ask('/login/github', { headers })
  expect(status).toBe(303)
  expect(location).toMatch(new RegExp(`^${pages.bench.server.url}/login/oauth/authorize\\?`))
  expect(['localhost', '127.0.0.1', undefined]).toContain(
    namedTo(location)?.replace(/^http:\/\/|(?::\d+)?\/login\/callback$/g, ''),
  )
  expect(location).not.toContain('evil')
})

it.each([
  ['of the whole address', 'GET http://evil.example/login/github HTTP/1.1\r\nHost: x'],
  ['with a host in the path', 'GET //evil.example/login/github HTTP/1.1\r\nHost: x'],
  ['without a host', 'GET /login/github HTTP/1.0'],
  ['with two hosts', 'GET /login/github HTTP/1.1\r\nHost: localhost\r\nHost: evil.example'],
])('sends no one elsewhere for a request line %s', async (_, lines) => {
  const { hostname, port } = new URL(pages.url)
  const socket = connect(Number(port), hostname)
  socket.write(`${lines}\r\nConnection: close\r\n\r\n`)
  const [head = ''] = (await text(socket)).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 /)
  expect(head).not.toContain('evil')
})

/** Starts a login, as far as GitHub's way back. */
async function start() {
  const { location: toGitHub, cookies } = await ask('/login/github')
  const answer = await fetch(toGitHub, { redirect: 'manual' })
  const back = answer.headers.get('location') ?? ''
  return { toGitHub, cookie: cookies.join('; '), back: back.slice(pages.url.length) }
}

type Started = Awaited<ReturnType<typeof start>>

const isIn = ({ cookies }: { readonly cookies: readonly string[] }): boolean =>
  cookies.some((each) => /^executor-session=./.test(each))

const over = (cookie: string, back: string, method = 'GET') =>
  ask(back, { method, headers: { cookie } })

it.each<[string, (started: Started, other: Started) => Promise<{ cookies: readonly string[] }>]>([
  ['without its cookie', ({ back }) => over('', back)],
  ['with the cookie of another login', ({ back }, { cookie }) => over(cookie, back)],
  [
    'with two cookies, the other one first',
    ({ back, cookie }, other) => over(`${other.cookie}; ${cookie}`, back),
  ],
  [
    'with its cookie under the name of a session',
    ({ back, cookie }) => over(cookie.replace('-login=', '-session='), back),
  ],
  ['with its cookie under the name for TLS', ({ back, cookie }) => over(`__Host-${cookie}`, back)],
  [
    'with the state of another login',
    ({ back, cookie }, other) =>
      over(cookie, back.replace(/state=[^&]*/, /state=[^&]*/.exec(other.back)?.[0] ?? '')),
  ],
  [
    'with another state before its own',
    ({ back, cookie }) => over(cookie, back.replace('?', '?state=forged&')),
  ],
  [
    'with the code of another login',
    ({ back, cookie }, other) =>
      over(cookie, back.replace(/code=[^&]*/, /code=[^&]*/.exec(other.back)?.[0] ?? '')),
  ],
  [
    'with an error beside no code',
    ({ back, cookie }) => over(cookie, back.replace(/code=[^&]*/, 'error=access_denied')),
  ],
  ['as a form', ({ back, cookie }) => over(cookie, back, 'POST')],
  ['for its headers', ({ back, cookie }) => over(cookie, back, 'HEAD')],
  [
    'at a path with a slash more',
    ({ back, cookie }) => over(cookie, back.replace('/callback', '/callback/')),
  ],
  ['at an encoded path', ({ back, cookie }) => over(cookie, back.replace('/login/', '/login%2f'))],
])('logs no one in by an answer %s', async (_, act) => {
  const [started, other] = [await start(), await start()]
  expect(isIn(await act(started, other))).toBe(false)
})

it.each<[string, (cookie: string) => string]>([
  ['the same cookie', (cookie) => cookie],
  ['the cookie with padding', (cookie) => `${cookie}=`],
  [
    'the cookie with characters that are skipped',
    (cookie) => cookie.replace('-login=', '-login=..'),
  ],
  [
    'the cookie in the other alphabet',
    (cookie) =>
      cookie.replace(/(?<=-login=).*/, (text) => text.replaceAll('-', '+').replaceAll('_', '/')),
  ],
  ['the cookie twice', (cookie) => `${cookie}; ${cookie}`],
])('logs in once by %s, one after the other and at once', async (_, spell) => {
  const again = async ({ toGitHub }: Started) => {
    const answer = await fetch(toGitHub, { redirect: 'manual' })
    return (answer.headers.get('location') ?? '').slice(pages.url.length)
  }
  const first = await start()
  expect(isIn(await over(first.cookie, first.back))).toBe(true)
  expect(isIn(await over(spell(first.cookie), await again(first)))).toBe(false)

  const second = await start()
  const backs = [second.back, await again(second), await again(second)]
  const answers = await Promise.all(
    backs.map((back, index) => over(index === 1 ? second.cookie : spell(second.cookie), back)),
  )
  expect(answers.filter(isIn).length).toBeLessThanOrEqual(1)
})
