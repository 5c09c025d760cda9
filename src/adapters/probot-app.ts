import { randomBytes } from 'node:crypto'
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

/** The App as GitHub knows it. */
export interface GitHubApp {
  /** True when this body was signed, by SHA-256, with the App's secret. */
  verify(body: string, signature: string): Promise<boolean>
  /** The number of the App's installation on a repository. */
  installationOf(owner: string, repo: string): Promise<number>
  /** A token for an installation that lives for minutes yet. */
  token(installation: number): Promise<string>
  /** Under which it writes: `name[bot]`. */
  login(): Promise<string>
}

/**
 * Probot for signatures and for authentication as the App. Its stock plugins are off: the one for
 * retries repeats writes, and who waits and who tries again is decided in `resilience/`.
 */
export async function openProbotApp(options: ProbotAppOptions): Promise<GitHubApp> {
  const probot = new Probot({
    appId: options.appId,
    privateKey: options.privateKey,
    // Left out, Probot would take one that everybody knows.
    secret: options.webhookSecret ?? randomBytes(32).toString('hex'),
    baseUrl: options.apiUrl,
    logLevel: 'fatal',
    Octokit: ProbotOctokit.defaults({ retry: { enabled: false }, throttle: { enabled: false } }),
  })
  await probot.ready()
  const octokit = await probot.auth()
  const tokens = createTokenStore({
    now: options.now,
    async create(installation) {
      const { data } = await octokit.rest.apps.createInstallationAccessToken({
        installation_id: installation,
      })
      return { token: data.token, expiresAt: data.expires_at }
    },
  })
  const { webhooks } = probot
  let login: string | undefined
  return {
    verify: (body, signature) => webhooks.verify(body, signature).catch(() => false),
    async installationOf(owner, repo) {
      return (await octokit.rest.apps.getRepoInstallation({ owner, repo })).data.id
    },
    token: (installation) => tokens.token(installation),
    async login() {
      login ??= `${(await octokit.rest.apps.getAuthenticated()).data?.slug}[bot]`
      return login
    },
  }
}
