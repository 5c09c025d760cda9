import { createPublicKey, randomBytes, verify } from 'node:crypto'
import type { App, Identity, Registration } from './records.ts'
import type { Repository, Store } from './store.ts'

/** A registered GitHub App; repositories name the installation that they belong to. */
export interface AppOptions {
  readonly id: number
  readonly slug: string
  /** PEM of the public key that verifies the app's own tokens. */
  readonly publicKey: string
  /** The lifetime of an installation's token; an hour by default. */
  readonly tokenSeconds?: number
  /** What GitHub hands to the one who registers the app; needed by the manifest flow and by logins. */
  readonly registration?: Registration
}

export const appPermissions = {
  actions: 'write',
  actions_variables: 'read',
  checks: 'write',
  contents: 'write',
  issues: 'write',
  metadata: 'read',
  pull_requests: 'write',
  statuses: 'write',
  workflows: 'write',
} as const

/** Returns true if the app has at least these permissions. */
export const isGranted = (asked: Readonly<Record<string, string>>): boolean =>
  Object.entries(asked).every(([name, access]) => {
    const has = new Map<string, string>(Object.entries(appPermissions)).get(name)
    return has === access || (has === 'write' && access === 'read')
  })

export function createApp(options: AppOptions, bot: Identity): App {
  const { id, slug, publicKey, tokenSeconds = 3600, registration } = options
  return { id, slug, key: createPublicKey(publicKey), tokenSeconds, registration, bot }
}

/** The app's installations by number, each with its account. */
export function installationsOf({
  repositories,
}: Store): ReadonlyMap<number, readonly Repository[]> {
  const byId = new Map<number, Repository[]>()
  for (const repository of repositories) {
    const { installationId } = repository.options
    if (installationId === undefined) continue
    byId.set(installationId, [...(byId.get(installationId) ?? []), repository])
  }
  return byId
}

/** Creates a token of an installation for these repositories. */
export function issueToken(
  store: Store,
  app: App,
  repositories: readonly Repository[],
): { readonly token: string; readonly expiresAt: string } {
  const token = `ghs_${randomBytes(18).toString('hex')}`
  const expiresAt = store.time() + app.tokenSeconds * 1000
  store.tokens.set(token, {
    person: app.bot,
    expiresAt,
    repositories: new Set(repositories.map(({ id }) => id)),
  })
  return { token, expiresAt: new Date(expiresAt).toISOString().replace(/\.\d+Z$/, 'Z') }
}

const undecodable = 'A JSON web token could not be decoded'

/** Returns why GitHub would reject this token as signed by the app, or `null`. */
export function refusalOfSigned(
  app: App,
  authorization: string | undefined,
  now: number,
): string | null {
  const jwt = /^bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
  const [header = '', payload = '', signature = ''] = jwt.split('.')
  if (readJson(header)?.alg !== 'RS256') return undecodable
  const signed = Buffer.from(`${header}.${payload}`)
  if (!verify('RSA-SHA256', signed, app.key, Buffer.from(signature, 'base64url')))
    return undecodable
  const { iss, iat, exp } = readJson(payload) ?? {}
  const seconds = now / 1000
  if (typeof iat !== 'number' || iat > seconds + 1) {
    return "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
  }
  if (typeof exp !== 'number' || exp <= seconds) {
    return "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires"
  }
  if (exp > seconds + 600) {
    return "'Expiration time' claim ('exp') is too far in the future"
  }
  return `${iss}` === `${app.id}` ? null : 'Integration not found'
}

function readJson(part: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return null
  }
}
