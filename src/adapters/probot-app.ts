import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Probot, ProbotOctokit } from 'probot'
import { createTokenStore } from './probot-app/token-store.ts'

export interface ProbotAppOptions {
  readonly appId: number
  /** PEM. */
  readonly privateKey: string
  /** `null` where no webhooks come: none is taken for signed. */
  readonly webhookSecret: string | null
  /** `https://api.github.com`, or that of an Enterprise server. */
  readonly apiUrl: string
  readonly now: () => string
}

/** What a token is for: one repository of an installation, and what is done there. */
export interface TokenScope {
  readonly installation: number
  /** Its name, without the owner. */
  readonly repository: string
  /** As GitHub names them in `app.yml`. */
  readonly permissions: Readonly<Record<string, 'read' | 'write'>>
}

export interface GitHubApp {
  /** For the bytes of one body, as they come: tells whether `sha256=…` was made with the App's secret. */
  openSignature(): {
    readonly update: (part: Buffer) => void
    readonly isOf: (signature: string) => boolean
  }
  installationOf(owner: string, repo: string): Promise<number>
  /** A token for this and no more that lives for minutes yet. */
  token(scope: TokenScope): Promise<string>
  /** Under which it writes: `name[bot]`. */
  login(): Promise<string>
}

/**
 * Probot for authentication as the App; it verifies text, and what GitHub signs is bytes. Its stock plugins are off:
 * the one for retries repeats writes, and who waits and who tries again is decided in `resilience/`.
 */
export async function openProbotApp(options: ProbotAppOptions): Promise<GitHubApp> {
  // Left out, Probot would take one that everybody knows.
  const secret = options.webhookSecret ?? randomBytes(32).toString('hex')
  const probot = new Probot({
    appId: options.appId,
    privateKey: options.privateKey,
    secret,
    baseUrl: options.apiUrl,
    logLevel: 'fatal',
    Octokit: ProbotOctokit.defaults({ retry: { enabled: false }, throttle: { enabled: false } }),
  })
  await probot.ready()
  const octokit = await probot.auth()
  const tokens = createTokenStore<TokenScope>({
    now: options.now,
    async create({ installation, repository, permissions }) {
      const { data } = await octokit.rest.apps.createInstallationAccessToken({
        ...{ installation_id: installation, repositories: [repository], permissions },
      })
      return { token: data.token, expiresAt: data.expires_at }
    },
  })
  let login: string | undefined
  return {
    openSignature() {
      const hmac = createHmac('sha256', secret)
      return {
        update: (part) => void hmac.update(part),
        isOf(signature) {
          const wanted = Buffer.from(`sha256=${hmac.digest('hex')}`)
          const given = Buffer.from(signature)
          return given.length === wanted.length && timingSafeEqual(given, wanted)
        },
      }
    },
    async installationOf(owner, repo) {
      return (await octokit.rest.apps.getRepoInstallation({ owner, repo })).data.id
    },
    token: (scope) => tokens.token(scope),
    async login() {
      login ??= `${(await octokit.rest.apps.getAuthenticated()).data?.slug}[bot]`
      return login
    },
  }
}
