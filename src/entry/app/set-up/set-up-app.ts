import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { html } from '../../../publish/report/html/markup.ts'
import { version } from '../../version.ts'
import { type HttpAnswer, json, methodNotAllowed, requestTarget } from '../http/answer.ts'
import { type HttpPlace, type HttpTools, listenHttp } from '../http/listen.ts'
import { noSuchPage, page, publicOrigin } from '../http/page.ts'
import { appManifest, webhookPath } from './app-manifest.ts'
import { type Credentials, saveCredentials } from './credentials.ts'

export interface SetUpOptions extends HttpPlace {
  /** Folder that keeps what GitHub hands over. */
  readonly directory: string
  /** `https://executor.example.com`; `null` takes the address that the browser asks for. */
  readonly publicUrl: string | null
  /** `https://github.com` and its API. */
  readonly serverUrl: string
  readonly apiUrl: string
}

/** Seconds that a person may take on GitHub's page; GitHub's code is valid as long. */
const stateSeconds = 3600

const conversionShape = z.object({
  id: z.number(),
  html_url: z.url(),
  pem: z.string(),
  webhook_secret: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
})

/**
 * Serves the pages that register the App by GitHub's manifest flow, until it is registered or `signal` ends the
 * process. Only someone with the token in the log sees them.
 */
export async function setUpApp(
  options: SetUpOptions,
  { log, redact }: HttpTools,
  signal: AbortSignal,
): Promise<void> {
  const token = randomBytes(24).toString('base64url')
  const states = new Map<string, number>()
  const done = Promise.withResolvers<void>()
  const isToken = (given: string) => timingSafeEqual(digest(given), digest(token))

  const answer = async (request: IncomingMessage): Promise<HttpAnswer> => {
    const url = requestTarget(request)
    if (url.pathname === '/healthz') return json(200, { status: 'waits for set-up', version })
    if (url.pathname === webhookPath)
      return json(503, { message: 'Deliver it again after the set-up.' })
    if (url.pathname !== '/' && url.pathname !== '/setup') return noSuchPage()
    if (request.method !== 'GET') return methodNotAllowed
    const given = url.searchParams
    const origin = publicOrigin(request.headers, options.publicUrl)
    if (url.pathname === '/') {
      if (!isToken(given.get('token') ?? '')) return whereIsToken(given.has('token'))
      const state = randomBytes(24).toString('base64url')
      states.set(state, performance.now())
      return registerPage({ token, state, origin, owner: given.get('organisation') ?? '' }, options)
    }
    const since = states.get(given.get('state') ?? '')
    states.delete(given.get('state') ?? '')
    if (since === undefined || performance.now() - since > stateSeconds * 1000) {
      log('A set-up without a valid state was refused.', { level: 'warn' })
      return refused('This answer belongs to no set-up that was started here.')
    }
    const converted = await convert(given.get('code') ?? '', options, origin)
    if (converted === null) {
      log('GitHub did not accept the code of the set-up.', { level: 'warn' })
      return refused('GitHub did not accept the code, which is valid once and for an hour.')
    }
    await saveCredentials(options.directory, converted.credentials)
    setImmediate(done.resolve)
    return registeredPage(converted.page)
  }

  const http = await listenHttp(answer, options, { log, redact })
  const base = options.publicUrl ?? http.url
  log(`The App is not registered yet. Set it up at ${base}/?token=${token}`)
  const stop = () => done.resolve()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  await done.promise
  signal.removeEventListener('abort', stop)
  await http.close()
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Exchanges the code for the App's key and secrets; `null` if GitHub refuses it. */
async function convert(
  code: string,
  { apiUrl }: SetUpOptions,
  url: string,
): Promise<{ readonly credentials: Credentials; readonly page: string } | null> {
  if (!/^[\w-]{1,100}$/.test(code)) return null
  const answer = await fetch(`${apiUrl}/app-manifests/${code}/conversions`, {
    method: 'POST',
    headers: { accept: 'application/vnd.github+json', 'user-agent': 'roadmap-executor' },
    signal: AbortSignal.timeout(10_000),
  })
  if (answer.status !== 201) return null
  const given = conversionShape.parse(await answer.json())
  const { id: appId, pem: privateKey, webhook_secret: webhookSecret } = given
  const { client_id: clientId, client_secret: clientSecret } = given
  return {
    credentials: { appId, privateKey, webhookSecret, clientId, clientSecret, url },
    page: given.html_url,
  }
}

const whatThisIs = html`<p>This server runs the GitHub App of roadmap-executor, which works through a repository's <code>ROADMAP.md</code>: one verified pull request per task.</p>`

const whereIsToken = (isWrong: boolean): HttpAnswer =>
  page({
    status: isWrong ? 403 : 200,
    title: isWrong ? 'The token is wrong' : 'Set up the GitHub App',
    body: html`<section>${whatThisIs}<p>The App is not registered with GitHub yet. Whoever sets it up needs the address with the token that the server writes into its log when it starts: look for <code>/?token=</code>.</p></section>`,
  })

const refused = (reason: string): HttpAnswer =>
  page({
    status: 403,
    title: 'Not set up',
    body: html`<section><p>${reason}</p><p>Open the address with the token from the log, and start again.</p></section>`,
  })

async function registerPage(
  form: Readonly<Record<'token' | 'state' | 'origin' | 'owner', string>>,
  { serverUrl }: SetUpOptions,
): Promise<HttpAnswer> {
  const { token, state, origin } = form
  const owner = /^[\w-]{1,39}$/.test(form.owner) ? form.owner : ''
  const path = owner === '' ? '' : `/organizations/${owner}`
  const target = `${serverUrl}${path}/settings/apps/new?state=${state}`
  const manifest = JSON.stringify(await appManifest(origin))
  return page({
    title: 'Set up the GitHub App',
    formTargets: [new URL(serverUrl).origin],
    body: html`<section>${whatThisIs}
<p>GitHub will send webhooks to <code>${origin}${webhookPath}</code>. If GitHub cannot reach that address, set <code>EXECUTOR_URL</code> to the one that it can reach, and restart.</p></section>
<section><h2>1. Choose the owner</h2>
<p>${owner === '' ? 'The App will belong to your own account.' : html`The App will belong to the organisation <b>${owner}</b>.`}</p>
<form action="/" method="get"><input type="hidden" name="token" value="${token}"><label>Organisation, or empty for your own account<input name="organisation" value="${owner}" autocomplete="off"></label><button>Change the owner</button></form></section>
<section><h2>2. Register it</h2>
<p>GitHub shows the name, which you may change, and asks you to confirm. It then hands the key and the secrets to this server, which keeps them in a private file.</p>
<form action="${target}" method="post"><input type="hidden" name="manifest" value="${manifest}"><button>Register the App on GitHub</button></form></section>`,
  })
}

const registeredPage = (address: string): HttpAnswer =>
  page({
    title: 'The App is registered',
    body: html`<section><p>The server keeps its key and starts the App now. Next, <a href="${address}/installations/new">install it on your repositories</a>.</p></section>`,
  })
