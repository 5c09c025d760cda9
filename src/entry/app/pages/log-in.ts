import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { html } from '../../../publish/report/html/markup.ts'
import type { HttpAnswer } from '../http/answer.ts'
import { noSuchPage, page, publicOrigin, redirect } from '../http/page.ts'
import { askGitHub } from './persons-access.ts'
import type { SealedCookies } from './sealed-cookies.ts'

/** The reader of the pages. */
export type Viewer =
  /** Knows EXECUTOR_PAGES_TOKEN, and sees everything. */
  | { readonly kind: 'operator' }
  /** Logged in with GitHub, and sees what GitHub shows them of the App. */
  | { readonly kind: 'person'; readonly login: string; readonly token: string }

export interface LoginOptions {
  readonly cookies: SealedCookies
  /** `null`: no one logs in with a token. */
  readonly pagesToken: string | null
  /** `null`: no one logs in with GitHub. */
  readonly client: { readonly id: string; readonly secret: string } | null
  readonly publicUrl: string | null
  readonly serverUrl: string
  readonly apiUrl: string
  readonly log: (line: string) => void
}

/** As long as GitHub's own tokens for people. */
const sessionSeconds = 8 * 3600
const stateSeconds = 600

const viewerShape: z.ZodType<Viewer> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('operator') }),
  z.object({ kind: z.literal('person'), login: z.string(), token: z.string() }),
])
const stateShape = z.object({ state: z.string(), verifier: z.string() })
const tokenShape = z.object({ access_token: z.string() })
const userShape = z.object({ login: z.string() })

export const viewerOf = (request: IncomingMessage, options: LoginOptions): Viewer | null =>
  options.cookies.read(request, 'session', viewerShape, isOverTls(request, options))

const isOverTls = ({ headers }: IncomingMessage, { publicUrl }: LoginOptions): boolean =>
  publicOrigin(headers, publicUrl).startsWith('https:')

/** Answers the paths of logging in and out; `null` for any other. */
export async function answerLogin(
  request: IncomingMessage,
  url: URL,
  options: LoginOptions,
): Promise<HttpAnswer | null> {
  const origin = publicOrigin(request.headers, options.publicUrl)
  const isSecure = isOverTls(request, options)
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /login':
      return loginPage(options, null)
    case 'GET /login/github':
      return askForLogin(options, callbackOf(origin, options), isSecure)
    case 'GET /login/callback':
      return finishLogin(request, url, options, callbackOf(origin, options))
    case 'POST /login': {
      const given = isFromElsewhere(request) ? null : await readField(request, 'token')
      if (given === null || !isSame(given, options.pagesToken)) {
        options.log('A login with a wrong token was refused.')
        return loginPage(options, 'The token is wrong.')
      }
      return enter({ kind: 'operator' }, options, isSecure)
    }
    case 'POST /logout':
      if (isFromElsewhere(request)) return noSuchPage()
      return redirect('/', [options.cookies.clear('session', isSecure)])
    default:
      return null
  }
}

const enter = (viewer: Viewer, { cookies }: LoginOptions, isSecure: boolean): HttpAnswer =>
  redirect('/jobs', [cookies.set('session', viewer, sessionSeconds, isSecure)])

function loginPage({ pagesToken, client }: LoginOptions, problem: string | null): HttpAnswer {
  const withGitHub = html`<p><a href="/login/github">Log in with GitHub</a> to see the jobs of the repositories that GitHub shows you.</p>`
  const withToken = html`<form action="/login" method="post"><input name="username" value="operator" autocomplete="username" hidden><label>Token of the operator (<code>EXECUTOR_PAGES_TOKEN</code>)<input name="token" type="password" autocomplete="current-password" required></label><button>Log in</button></form>`
  return page({
    status: problem === null ? 200 : 403,
    title: 'Log in',
    links: [html`<a href="/">Start</a>`],
    body: html`<section>${problem === null ? null : html`<p class="bad" role="alert">${problem}</p>`}${client === null ? null : withGitHub}${pagesToken === null ? null : withToken}</section>`,
  })
}

/** Where GitHub sends the browser back to; without it, to the address that the App is registered with. */
interface Callback {
  readonly redirect_uri?: string
}

/** The address comes from `EXECUTOR_URL` or this machine, never from what a request says about another host. */
function callbackOf(origin: string, { publicUrl }: LoginOptions): Callback {
  const { hostname } = new URL(origin)
  const isHere = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  return publicUrl !== null || isHere ? { redirect_uri: `${origin}/login/callback` } : {}
}

/** Sends the browser to GitHub with a state and a PKCE challenge that only its cookie can answer. */
function askForLogin(
  { client, cookies, serverUrl }: LoginOptions,
  callback: Callback,
  isSecure: boolean,
): HttpAnswer {
  if (client === null) return noSuchPage()
  const [state, verifier] = [randomBytes(24), randomBytes(32)].map((each) =>
    each.toString('base64url'),
  )
  const target = new URL(`${serverUrl}/login/oauth/authorize`)
  target.search = new URLSearchParams({
    client_id: client.id,
    ...callback,
    state: state ?? '',
    code_challenge: createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  const kept = cookies.set('login', { state, verifier }, stateSeconds, isSecure)
  return redirect(target.href, [kept])
}

async function finishLogin(
  request: IncomingMessage,
  { searchParams }: URL,
  options: LoginOptions,
  callback: Callback,
): Promise<HttpAnswer> {
  const { client, cookies, serverUrl, apiUrl } = options
  const isSecure = isOverTls(request, options)
  const started = cookies.read(request, 'login', stateShape, isSecure)
  const code = searchParams.get('code') ?? ''
  if (client === null) return noSuchPage()
  if (started === null || !isSame(searchParams.get('state') ?? '', started.state) || code === '') {
    options.log('A login that was not started here was refused.')
    return loginPage(options, 'This login was not started here, or took too long. Try again.')
  }
  if (!cookies.spend(request, 'login', isSecure)) {
    return loginPage(options, 'This login has ended. Try again.')
  }
  const answer = await fetch(`${serverUrl}/login/oauth/access_token`, {
    method: 'POST',
    headers: { accept: 'application/json', 'user-agent': 'roadmap-executor' },
    body: new URLSearchParams({
      ...{ client_id: client.id, client_secret: client.secret, code },
      ...{ ...callback, code_verifier: started.verifier },
    }),
    signal: AbortSignal.timeout(10_000),
  })
  const token = tokenShape.safeParse(await answer.json().catch(() => null))
  if (!token.success) return loginPage(options, 'GitHub did not accept the login. Try again.')
  const { access_token: secret } = token.data
  const user = userShape.parse(await (await askGitHub(`${apiUrl}/user`, secret)).json())
  const entered = enter({ kind: 'person', login: user.login, token: secret }, options, isSecure)
  const set = [entered.headers['set-cookie'], cookies.clear('login', isSecure)].flat()
  return { ...entered, headers: { ...entered.headers, 'set-cookie': set.map(String) } }
}

function isSame(given: string, wanted: string | null): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return wanted !== null && timingSafeEqual(digest(given), digest(wanted))
}

/** Browsers say so; a form elsewhere must not log anyone in or out. */
const isFromElsewhere = ({ headers }: IncomingMessage): boolean => {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

const mostFormBytes = 4_096

/** A field of a small form; `null` without it. */
async function readField(request: IncomingMessage, name: string): Promise<string | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > mostFormBytes) return null
    parts.push(part)
  }
  return new URLSearchParams(Buffer.concat(parts).toString()).get(name)
}
