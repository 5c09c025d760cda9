import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { Answer } from './answer.ts'
import type { Registration } from './records.ts'
import type { Recording, Running } from './running.ts'
import type { CodeUse, Store } from './store.ts'

/** An app's registration that a person sent as a manifest. */
const manifestShape = z.object({
  name: z.string().min(1),
  url: z.url(),
  hook_attributes: z.object({ url: z.url(), active: z.boolean().optional() }),
  redirect_url: z.url(),
  callback_urls: z.array(z.url()).max(10).optional(),
  public: z.boolean().optional(),
  default_permissions: z.record(z.string(), z.enum(['read', 'write'])),
  default_events: z.array(z.string()),
})

const newApp = /^(?:\/organizations\/[\w-]+)?\/settings\/apps\/new$/

const jobLog = /^\/job-logs\/(\d+)\/(\d+)$/

export const isWebPath = (path: string): boolean =>
  newApp.test(path) || path.startsWith('/login/oauth/') || jobLog.test(path)

/**
 * GitHub's pages that an app sends a person to: a new app from a manifest, and the login. The person of
 * `signIn` agrees to everything at once; without one, the pages ask to sign in.
 */
export async function answerWeb(
  { store }: Running,
  request: IncomingMessage,
  record: Recording,
  url: URL,
): Promise<Answer> {
  const body = new URLSearchParams(await text(request))
  const at = `${record.method} ${url.pathname}`
  const [isLog, repository, job] = jobLog.exec(url.pathname) ?? []
  if (isLog) return answerLog(store, Number(repository), Number(job), request)
  if (at === 'POST /login/oauth/access_token') return json(exchangeCode(store, body))
  const person = store.signedIn
  if (person === null) return page(401, 'Sign in to GitHub')
  record.login = person.login
  const registration = store.app?.registration
  if (registration === undefined) return page(404, 'There is no such app here.')
  if (record.method === 'POST' && newApp.test(url.pathname)) {
    const manifest = manifestShape.safeParse(parseJson(body.get('manifest') ?? ''))
    if (!manifest.success) return page(422, `Invalid manifest. ${manifest.error.message}`)
    record.body = manifest.data
    return backTo(manifest.data.redirect_url, url, keepCode(store, { kind: 'manifest' }))
  }
  if (at === 'GET /login/oauth/authorize') {
    const given = url.searchParams
    const redirect = given.get('redirect_uri') ?? ''
    if (given.get('client_id') !== registration.clientId || !URL.canParse(redirect)) {
      return page(404, 'There is no such app here.')
    }
    const challenge = given.get('code_challenge')
    return backTo(redirect, url, keepCode(store, { kind: 'login', person, challenge, redirect }))
  }
  return page(404, 'Not Found')
}

/** A store of files, which refuses a token that is not its own. */
function answerLog(
  { repositories }: Store,
  repository: number,
  job: number,
  { headers }: IncomingMessage,
): Answer {
  if (headers.authorization !== undefined) return page(400, 'Only one authentication is allowed.')
  const found = [...repositories.values()].find(({ id }) => id === repository)
  const log = found?.checks.find(({ id }) => id === job)?.log
  return log === undefined
    ? page(404, 'Not Found')
    : { status: 200, headers: { 'content-type': 'text/plain' }, body: log }
}

/** GitHub reports a refused exchange with status 200. */
function exchangeCode({ app, codes, tokens }: Store, body: URLSearchParams): object {
  const { clientId, clientSecret } = app?.registration ?? {}
  if (body.get('client_id') !== clientId || body.get('client_secret') !== clientSecret) {
    return { error: 'incorrect_client_credentials' }
  }
  const code = body.get('code') ?? ''
  const kept = codes.get(code)
  codes.delete(code)
  const verifier = createHash('sha256').update(body.get('code_verifier') ?? '')
  if (
    kept?.kind !== 'login' ||
    kept.redirect !== body.get('redirect_uri') ||
    (kept.challenge !== null && kept.challenge !== verifier.digest('base64url'))
  ) {
    return { error: 'bad_verification_code' }
  }
  const token = `ghu_${randomBytes(18).toString('hex')}`
  tokens.set(token, { person: kept.person, expiresAt: null, repositories: null })
  return { access_token: token, token_type: 'bearer', scope: '' }
}

function keepCode({ codes }: Store, use: CodeUse): string {
  const code = randomBytes(10).toString('hex')
  codes.set(code, use)
  return code
}

/** The registration that a manifest's code stands for, once; `null` for another code. */
export function takeRegistration({ app, codes }: Store, code: string): Registration | null {
  if (codes.get(code)?.kind !== 'manifest') return null
  codes.delete(code)
  return app?.registration ?? null
}

function backTo(address: string, { searchParams }: URL, code: string): Answer {
  const target = new URL(address)
  target.searchParams.set('code', code)
  const state = searchParams.get('state')
  if (state !== null) target.searchParams.set('state', state)
  return { status: 302, headers: { location: target.href }, body: '' }
}

const page = (status: number, words: string): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `${words}\n`,
})

const json = (body: object): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
})

function parseJson(from: string): unknown {
  try {
    return JSON.parse(from)
  } catch {
    return null
  }
}
