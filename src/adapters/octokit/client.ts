import { throttling } from '@octokit/plugin-throttling'
import { Octokit, type RestEndpointMethodTypes } from '@octokit/rest'
import { type Effect, isPerforming, onceMore, performEffect } from '../../core/perform-effect.ts'
import type { Clock, Random } from '../../core/ports/clock.ts'
import { type EffectLog, unrecorded } from '../../core/ports/effect-log.ts'
import { actionsLogin } from '../../core/ports/forge.ts'
import { allOfAccount, type OwnTexts } from '../../core/ports/own-texts.ts'
import { githubWrites, type Pace } from '../../core/ports/pace.ts'
import { createPace } from '../resilience/pace.ts'
import { createSystemRandom } from '../system.ts'
import { bookWrites } from './client/book-writes.ts'
import { followPolicy } from './client/follow-policy.ts'
import { askGraphql, isRead, raiseGraphqlErrors } from './client/graphql.ts'
import { hasStatus, judgeForgeFailure, orNull } from './failure.ts'

export interface GitHubOptions {
  readonly owner: string
  readonly repo: string
  /** Called before every request: an App's token lives for an hour. */
  readonly token: () => Promise<string> | string
  /** `https://api.github.com`, or `GITHUB_API_URL` of an Enterprise server. */
  readonly apiUrl: string
  readonly clock: Clock
  readonly random?: Random
  /** The token's account, if known. */
  readonly login?: string | undefined
  /** `false` sends writes without the required second between them: for a test server. */
  readonly pace?: boolean
  /** Counts the writes of everything that shares the token's installation; by default, those of this client. */
  readonly writes?: Pace | undefined
  /** The current workflow and run: its own checks say nothing about a commit. */
  readonly workflowPath?: string | undefined
  readonly runId?: string | undefined
  /** Receives messages about waits and refused requests. */
  readonly log?: (line: string) => void
  /** Request timeout; 30 by default. */
  readonly timeoutSeconds?: number
  /** Longest wait of a request for limits and a broken GitHub; 120 by default. */
  readonly patienceSeconds?: number
  /** Records each write; optional. */
  readonly effects?: EffectLog
  /** By default, every text of the account is ours. */
  readonly texts?: OwnTexts
}

/** An effect whose `apply` receives the writing client; reads `onceMore` by default. */
interface GitHubEffect<Snapshot, T> extends Omit<Effect<Snapshot, T>, 'apply' | 'readDelays'> {
  readonly readDelays?: readonly number[]
  apply(octokit: Octokit, snapshot: Snapshot): Promise<T>
}

/** Counts of requests sent, REST reads among them, and reads answered as unchanged. */
export interface ApiCalls {
  made: number
  reads: number
  unchanged: number
}

type Reads<Group> = Pick<
  Group,
  Extract<keyof Group, `get${string}` | `list${string}` | `download${string}`>
>

/** The response type of a REST request. */
export type RestAnswer<
  Group extends keyof RestEndpointMethodTypes,
  Question extends keyof RestEndpointMethodTypes[Group],
> = RestEndpointMethodTypes[Group][Question] extends {
  readonly response: { readonly data: infer T }
}
  ? T
  : never

/** A repository and its client. */
export interface GitHubRepository {
  /** The reads available to all callers. */
  readonly octokit: {
    readonly [Group in 'actions' | 'checks' | 'issues' | 'pulls' | 'repos']: Reads<Octokit[Group]>
  }
  readonly target: { readonly owner: string; readonly repo: string }
  readonly clock: Clock
  readonly log: (line: string) => void
  readonly workflowPath: string | null
  readonly runId: string | null
  readonly calls: Readonly<ApiCalls>
  /** Pull requests that this client opened and never commented on: they have no comment. */
  readonly uncommented: Set<number>
  readonly texts: OwnTexts
  /** The token's account; requested once. */
  login(): Promise<string>
  /** Runs a query and, unless known, asks for the token's account in the same request. */
  askWithLogin<T>(ask: (viewer: boolean) => Promise<T & Partial<Viewer>>): Promise<T>
  /** Reads through GraphQL. */
  ask<T>(query: string, variables: Readonly<Record<string, unknown>>): Promise<T>
  /** The only way to write. */
  perform<Snapshot, T>(effect: GitHubEffect<Snapshot, T>): Promise<T>
}

/**
 * A client that paces its writes, waits as GitHub asks, repeats reads after temporary failures, and
 * writes only as an effect: see `core/perform-effect.ts`.
 */
export function openClient(options: GitHubOptions): GitHubRepository {
  const { owner, repo, clock, log = () => {} } = options
  const calls: ApiCalls = { made: 0, reads: 0, unchanged: 0 }
  const octokit = openOctokit(options, calls)
  let login = options.login === undefined ? undefined : Promise.resolve(options.login)
  // Concurrent callers share the promise.
  const keepLogin = (question: Promise<string>): Promise<string> => {
    login = question.catch((error: unknown) => {
      login = undefined
      throw error
    })
    return login
  }
  return {
    octokit,
    target: { owner, repo },
    clock,
    log,
    calls,
    uncommented: new Set(),
    texts: options.texts ?? allOfAccount,
    workflowPath: options.workflowPath ?? null,
    runId: options.runId ?? null,
    login: () => login ?? keepLogin(askLogin(octokit)),
    async askWithLogin(ask) {
      if (login !== undefined) return ask(false)
      const both = ask(true)
      const viewer = orNull(both, 403).then((found) => found?.viewer)
      await keepLogin(viewer.then(async (found) => found?.login ?? askLogin(octokit)))
      return both.catch(() => ask(false))
    },
    ask: (query, variables) => askGraphql(octokit, query, variables),
    perform: (effect) =>
      performEffect(
        {
          readDelays: onceMore,
          ...effect,
          apply: (snapshot) => effect.apply(octokit, snapshot),
        },
        { log: options.effects ?? unrecorded, clock, judge: judgeForgeFailure },
      ),
  }
}

/** Opens an unrestricted client, including writes, and counts its requests in `calls`. */
function openOctokit(options: GitHubOptions, calls: ApiCalls): Octokit {
  const { apiUrl, token, clock, log = () => {}, pace = true, timeoutSeconds = 30 } = options
  const { patienceSeconds: patience = 120 } = options
  const random = options.random ?? createSystemRandom()
  const writes = options.writes ?? (pace ? createPace(clock, githubWrites) : null)
  const quiet = () => {}
  // The plugin named first is closest to the network: it sends what it booked at once.
  const PacedOctokit = Octokit.plugin(
    ...(writes === null ? [] : [bookWrites({ writes, clock, patience })]),
    throttling,
  )
  const octokit = new PacedOctokit({
    baseUrl: apiUrl,
    userAgent: 'roadmap-executor',
    log: { debug: quiet, info: quiet, warn: log, error: quiet },
    // The plugin only spaces writes; `follow-policy.ts` decides about waits and retries.
    throttle: {
      enabled: pace,
      // Otherwise all clients of the process share the plugin's second between writes.
      id: options.owner.toLowerCase(),
      onRateLimit: () => false,
      onSecondaryRateLimit: () => false,
    },
    request: {
      fetch: (url: string, init: RequestInit) =>
        fetch(url, { ...init, signal: AbortSignal.timeout(timeoutSeconds * 1000) }),
    },
  })
  octokit.hook.before('request', async (request) => {
    calls.made += 1
    if (request.method === 'GET') calls.reads += 1
    request.headers.authorization = `token ${await token()}`
  })
  answerFromEtags(octokit, calls)
  raiseGraphqlErrors(octokit)
  followPolicy(octokit, { clock, random, log, patience })
  octokit.hook.wrap('request', (request, sent) => {
    if (isRead(sent) || isPerforming()) return request(sent)
    // Such a caller skipped the reads before and after the write.
    throw new Error(`${sent.method} ${sent.url} is a write outside an effect.`)
  })
  return octokit
}

const mostAnswersKept = 50

/** Sends the `ETag` of the last response: the rate limit does not count an unchanged one. */
function answerFromEtags(octokit: Octokit, calls: ApiCalls): void {
  const answers = new Map<string, Awaited<ReturnType<Octokit['request']>>>()
  octokit.hook.wrap('request', async (request, options) => {
    if (options.method !== 'GET') return request(options)
    const { url } = octokit.request.endpoint(options)
    const known = answers.get(url)
    if (known !== undefined) options.headers['if-none-match'] = known.headers.etag
    try {
      const response = await request(options)
      answers.delete(url)
      if (response.headers.etag !== undefined) answers.set(url, response)
      const [oldest] = answers.keys()
      if (answers.size > mostAnswersKept && oldest !== undefined) answers.delete(oldest)
      return response
    } catch (error) {
      if (known === undefined || !hasStatus(error, 304)) throw error
      calls.unchanged += 1
      return known
    }
  })
}

/** Asks GraphQL, which tells an App its name too; REST tells only people. */
async function askLogin(octokit: Octokit): Promise<string> {
  const found = await orNull(askGraphql<Viewer>(octokit, 'query { viewer { login } }', {}), 403)
  return found?.viewer.login ?? actionsLogin
}

interface Viewer {
  readonly viewer: { readonly login: string }
}
