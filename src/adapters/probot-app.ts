import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Probot, ProbotOctokit } from 'probot'
import { createTokenStore } from './probot-app/token-store.ts'

export interface ProbotAppOptions {
  readonly appId: number
  /** PEM. */
  readonly privateKey: string
  /** `null` without webhooks: then no signature is valid. */
  readonly webhookSecret: string | null
  /** `https://api.github.com`, or that of an Enterprise server. */
  readonly apiUrl: string
  readonly now: () => string
}

/** An account that the App is installed on. */
export interface AppInstallation {
  readonly id: number
  readonly account: string
  readonly url: string
}

export interface AppPage {
  readonly name: string
  readonly url: string
}

/** The scope of a token: one repository of an installation, and permissions. */
export interface TokenScope {
  readonly installation: number
  /** The repository's name, without its owner. */
  readonly repository: string
  /** Named as in `app.yml`. */
  readonly permissions: Readonly<Record<string, 'read' | 'write'>>
}

export interface GitHubApp {
  /** Verifies the bytes of one body, as they arrive, against a signature `sha256=…`. */
  openSignature(): {
    readonly update: (part: Buffer) => void
    readonly isOf: (signature: string) => boolean
  }
  installationOf(owner: string, repo: string): Promise<number>
  /** Returns a token with exactly this scope and minutes left to live. */
  token(scope: TokenScope): Promise<string>
  /** The App's login: `name[bot]`. */
  login(): Promise<string>
  /** Its name, and its page on GitHub. */
  page(): Promise<AppPage>
  installations(): Promise<readonly AppInstallation[]>
  /** The repositories of an installation, `owner/name`. */
  repositories(installation: number): Promise<readonly string[]>
}

/**
 * Uses Probot to authenticate as the App. Probot verifies text, but GitHub signs bytes. Its default
 * plugins are off: one of them repeats writes, and `resilience/` decides about waits and retries.
 */
export async function openProbotApp(options: ProbotAppOptions): Promise<GitHubApp> {
  // Without it, Probot would use a well-known default.
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
  let known: Promise<{ readonly slug: string; readonly page: AppPage }> | undefined
  const self = () => {
    known ??= octokit.rest.apps.getAuthenticated().then(({ data }) => {
      if (data === null) throw new Error('GitHub does not know the App.')
      const { slug = data.name, name, html_url: url } = data
      return { slug, page: { name, url } }
    })
    // A failure is not kept.
    known.catch(() => {
      known = undefined
    })
    return known
  }
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
    login: async () => `${(await self()).slug}[bot]`,
    page: async () => (await self()).page,
    async repositories(installation) {
      const { paginate, rest } = await probot.auth(installation)
      const all = await paginate(rest.apps.listReposAccessibleToInstallation, { per_page: 100 })
      return all.map(({ full_name: name }) => name)
    },
    async installations() {
      const all = await octokit.paginate(octokit.rest.apps.listInstallations, { per_page: 100 })
      return all.map(({ id, account, html_url: url }) => ({
        id,
        url,
        account: nameOfAccount(account),
      }))
    },
  }
}

/** A user or an organisation has a login, an enterprise a slug. */
const nameOfAccount = (account: { login: string } | { slug: string } | null): string => {
  if (account === null) return ''
  return 'login' in account ? account.login : account.slug
}
