import { createPrivateKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { QueueDatabase } from '../../adapters/pg-queue/open-database.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import { readCron } from '../../runs/schedule/cron-times.ts'
import type { Ceiling } from './installation-ceiling.ts'
import { readCredentials } from './set-up/credentials.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The settings of the App and its workers from environment variables, as in docs/app.md. */
export interface AppEnvironment {
  /** Of the embedded queue, and of what a set-up saves. */
  readonly directory: string
  readonly appId: number
  readonly privateKey: string
  /** `null` for a worker, which receives no webhooks. */
  readonly webhookSecret: string | null
  readonly apiUrl: string
  readonly serverUrl: string
  readonly database: QueueDatabase
  readonly host: string
  readonly port: number
  readonly concurrency: number
  /** `owner/name` or `owner/*`, in lower case: repositories that may use `runner: local`. */
  readonly localRepositories: readonly string[]
  /** Those of them that may use `strategy: agent`. */
  readonly localAgents: readonly string[]
  /** When repositories that may run here do so by themselves, a cron expression in UTC; `null`: never. */
  readonly schedule: string | null
  /** What each installation may spend in a day with `runner: local`. */
  readonly ceiling: Ceiling
  /** The address for people, without a path; `null` takes the one that a browser asks for. */
  readonly publicUrl: string | null
  /** The App as an OAuth client, for logins with GitHub. */
  readonly client: { readonly id: string; readonly secret: string } | null
  /** `null`: there are no pages about jobs, as in a worker. */
  readonly pages: {
    /** Shows everything to someone who knows it; `null` allows only logins with GitHub. */
    readonly token: string | null
    readonly withGitHub: boolean
  } | null
}

const shortestSecret = 16
const fewestCharacters = 8

/** Well-known secrets: Probot's default, GitHub's example, and those of tutorials. */
const knownSecrets: ReadonlySet<string> = new Set([
  'development',
  "it's a secret to everybody",
  'your_webhook_secret',
  'your-webhook-secret',
  'my-webhook-secret',
  'mywebhooksecret1',
  'webhook-secret-here',
  'replace-me-please',
  'changemechangeme',
  '0123456789abcdef',
  '1234567890123456',
])

/** @throws ExecutorError `app_not_configured`, `weak_webhook_secret` */
export async function readEnvironment(
  given: Environment,
  { takesWebhooks }: { readonly takesWebhooks: boolean },
): Promise<AppEnvironment> {
  const environment = await withSaved(given)
  const client = readClient(environment)
  return {
    ...readPlaces(environment),
    client,
    pages: takesWebhooks ? readPages(environment, client !== null) : null,
    appId: readNumber(environment, 'APP_ID', null),
    privateKey: await readPrivateKey(environment),
    webhookSecret: takesWebhooks ? readSecret(environment) : null,
    database: readDatabase(environment),
    ceiling: {
      tokens: readAmount(environment, 'EXECUTOR_INSTALLATION_TOKENS_PER_DAY'),
      dollars: readAmount(environment, 'EXECUTOR_INSTALLATION_COST_PER_DAY'),
    },
    concurrency: Math.max(1, readNumber(environment, 'EXECUTOR_CONCURRENCY', 4)),
    localRepositories: readNames(environment.EXECUTOR_LOCAL_REPOSITORIES),
    localAgents: readNames(environment.EXECUTOR_LOCAL_AGENTS),
    schedule: readCronOf(environment),
  }
}

/** Settings that the set-up needs as well. */
export const readPlaces = (environment: Environment) => ({
  directory: environment.EXECUTOR_DATA || '.executor/queue',
  apiUrl: environment.GITHUB_API_URL || 'https://api.github.com',
  serverUrl: environment.GITHUB_SERVER_URL || 'https://github.com',
  host: environment.HOST || '0.0.0.0',
  port: readNumber(environment, 'PORT', 3000),
  publicUrl: readAddress(environment, 'EXECUTOR_URL'),
})

/** True without an App in the variables or in the file that a set-up left. */
export const isUnregistered = async (environment: Environment): Promise<boolean> =>
  !namesApp(environment) && (await readCredentials(readPlaces(environment).directory)) === null

const namesApp = ({ APP_ID, PRIVATE_KEY, PRIVATE_KEY_PATH }: Environment): boolean =>
  Boolean(APP_ID || PRIVATE_KEY || PRIVATE_KEY_PATH)

/** The variables, and below them what the set-up saved of an App that they do not name. */
async function withSaved(environment: Environment): Promise<Environment> {
  if (namesApp(environment)) return environment
  const saved = await readCredentials(readPlaces(environment).directory)
  if (saved === null) return environment
  const set = Object.entries(environment).filter(([, value]) => value !== '')
  return {
    ...{ APP_ID: `${saved.appId}`, PRIVATE_KEY: saved.privateKey },
    ...{ WEBHOOK_SECRET: saved.webhookSecret, EXECUTOR_URL: saved.url },
    ...{ GITHUB_CLIENT_ID: saved.clientId, GITHUB_CLIENT_SECRET: saved.clientSecret },
    ...Object.fromEntries(set),
  }
}

function readAddress(environment: Environment, name: string): string | null {
  const text = environment[name]?.trim() ?? ''
  if (text === '') return null
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return new URL(text).origin
  throw new ExecutorError('app_not_configured', `${name} is not an address like https://host`)
}

function readClient(environment: Environment): AppEnvironment['client'] {
  const { GITHUB_CLIENT_ID: id, GITHUB_CLIENT_SECRET: secret } = environment
  return id && secret ? { id, secret } : null
}

function readPages(environment: Environment, hasClient: boolean): AppEnvironment['pages'] {
  const { EXECUTOR_PAGES = '', EXECUTOR_PAGES_TOKEN = '' } = environment
  const isOn = EXECUTOR_PAGES === 'on'
  const detail = (text: string) => new ExecutorError('app_not_configured', text)
  if (!['', 'on', 'off'].includes(EXECUTOR_PAGES))
    throw detail('EXECUTOR_PAGES is neither on nor off')
  if (EXECUTOR_PAGES === 'off' || (!isOn && EXECUTOR_PAGES_TOKEN === '')) return null
  if (EXECUTOR_PAGES_TOKEN !== '' && EXECUTOR_PAGES_TOKEN.length < shortestSecret) {
    throw detail(`EXECUTOR_PAGES_TOKEN has fewer than ${shortestSecret} characters`)
  }
  if (isOn && !hasClient && EXECUTOR_PAGES_TOKEN === '') {
    throw detail(
      'EXECUTOR_PAGES is on, but neither EXECUTOR_PAGES_TOKEN nor GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET are set',
    )
  }
  return { token: EXECUTOR_PAGES_TOKEN || null, withGitHub: isOn && hasClient }
}

function readCronOf({ EXECUTOR_SCHEDULE }: Environment): string | null {
  const cron = EXECUTOR_SCHEDULE?.trim() || null
  if (cron === null || readCron(cron) !== null) return cron
  const detail = 'EXECUTOR_SCHEDULE is not a cron expression of five fields, like 17 3 * * *'
  throw new ExecutorError('app_not_configured', detail)
}

const readNames = (list: string | undefined): readonly string[] =>
  (list ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => name !== '')

export function mayRunHere(repository: string, allowed: readonly string[]): boolean {
  const name = repository.toLowerCase()
  const [owner = ''] = name.split('/')
  return allowed.includes(name) || allowed.includes(`${owner}/*`)
}

function readDatabase(environment: Environment): QueueDatabase {
  const { DATABASE_URL } = environment
  if (!DATABASE_URL) return { kind: 'embedded', directory: readPlaces(environment).directory }
  if (/^postgres(?:ql)?:\/\//.test(DATABASE_URL)) return { kind: 'postgres', url: DATABASE_URL }
  throw new ExecutorError('app_not_configured', 'DATABASE_URL does not begin with postgres://')
}

function readNumber(environment: Environment, name: string, otherwise: number | null): number {
  const text = environment[name]?.trim() ?? ''
  if (text === '' && otherwise !== null) return otherwise
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw new ExecutorError(
    'app_not_configured',
    `${name} is ${text === '' ? 'not set' : 'not a number'}`,
  )
}

function readAmount(environment: Environment, name: string): number | null {
  const text = environment[name]?.trim() ?? ''
  if (text === '') return null
  if (/^\d{1,15}(?:\.\d{1,6})?$/.test(text)) return Number(text)
  throw new ExecutorError('app_not_configured', `${name} is not a number`)
}

function readSecret({ WEBHOOK_SECRET = '' }: Environment): string {
  const weak = (why: string) => new ExecutorError('weak_webhook_secret', why)
  if (WEBHOOK_SECRET === '') throw weak('it is not set')
  if (knownSecrets.has(WEBHOOK_SECRET.toLowerCase())) throw weak('it is publicly known')
  if (WEBHOOK_SECRET.length < shortestSecret) {
    throw weak(`it has ${WEBHOOK_SECRET.length} characters, not ${shortestSecret} or more`)
  }
  if (new Set(WEBHOOK_SECRET).size < fewestCharacters)
    throw weak('it repeats the same few characters')
  return WEBHOOK_SECRET
}

/** The key from a file or a variable; a variable of one line has line ends as `\n`, or base64. */
async function readPrivateKey({ PRIVATE_KEY, PRIVATE_KEY_PATH }: Environment): Promise<string> {
  const given = PRIVATE_KEY || (PRIVATE_KEY_PATH ? await readKeyFile(PRIVATE_KEY_PATH) : '')
  if (given === '') {
    throw new ExecutorError('app_not_configured', 'neither PRIVATE_KEY nor PRIVATE_KEY_PATH is set')
  }
  const text = given.includes('-----BEGIN') ? given : Buffer.from(given, 'base64').toString()
  try {
    const key = createPrivateKey(text.replaceAll('\\n', '\n'))
    return key.export({ type: 'pkcs8', format: 'pem' }).toString()
  } catch {
    // The cause would show parts of the key.
    throw new ExecutorError('app_not_configured', 'PRIVATE_KEY is not the PEM file from GitHub')
  }
}

async function readKeyFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new ExecutorError('file_unreadable', `PRIVATE_KEY_PATH (${path})`, { cause })
  }
}
