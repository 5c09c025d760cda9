import { createDataMask, createRedactor } from '../../../packages/text/text.ts'
import { type GitHubApp, openProbotApp } from '../../adapters/probot-app.ts'
import { createSystemClock } from '../../adapters/system.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { InstallationSpending } from '../../core/ports/installation-spending.ts'
import type { JobHandler, JobQueue } from '../../core/ports/job-queue.ts'
import type { InstallationPace } from '../../core/ports/pace.ts'
import { maskArguments, secretsOfEnvironment } from '../redact/redact-ports.ts'
import type { AppLog } from './app-log.ts'
import { createRunClock } from './clock.ts'
import type { RunningHttp } from './http/listen.ts'
import { createMetrics, type Metrics, startHttpServer } from './http-server.ts'
import type { JobServices } from './open-place.ts'
import { createPages } from './pages/create-pages.ts'
import type { LoginOptions } from './pages/log-in.ts'
import { createAskAccess } from './pages/persons-access.ts'
import { createSealedCookies } from './pages/sealed-cookies.ts'
import type { AppEnvironment } from './read-environment.ts'
import { type AppWork, createBodyReader, type Reception } from './receive-webhook.ts'
import { readSchedule, serveJob } from './serve-job.ts'

export interface AppOptions {
  readonly environment: AppEnvironment
  /** Closed with the App, also when opening that fails. */
  readonly queue: JobQueue<AppWork>
  readonly writes?: InstallationPace
  readonly spending?: InstallationSpending | undefined
  /** `null`: this process receives no webhooks and only works. */
  readonly readEvent: Reception['readEvent'] | null
  /** `null`: this process only receives webhooks. */
  readonly serve: Pick<JobServices, 'serveRepository' | 'openSession'> | null
  readonly log: AppLog
}

export interface RunningApp {
  readonly url: string
  /** Answers current requests, gives jobs some time to end, and leaves the rest to the next process. */
  close(): Promise<void>
}

/** Containers are killed ten seconds after they are asked to stop; this leaves time to close. */
const graceSeconds = 4

/** @throws ExecutorError `app_not_configured` */
export async function openApp(options: AppOptions): Promise<RunningApp> {
  const { environment, readEvent, serve, writes, spending } = options
  const { appId, privateKey, webhookSecret, apiUrl, concurrency } = environment
  const redact = createRedactor([...secretsOf(environment), ...secretsOfEnvironment(process.env)])
  const mask = createDataMask(redact)
  const log: AppLog = (line, facts = {}) => options.log(redact(line), mask(facts))
  const queue = maskArguments(options.queue, mask)
  const clock = createSystemClock()
  const now = () => clock.now()
  const counts = () => queue.counts()
  const metrics = createMetrics(counts)
  try {
    const app = await openProbotApp({ appId, privateKey, webhookSecret, apiUrl, now })
    const { openSignature } = app
    const readBody = createBodyReader()
    const reception = readEvent && { openSignature, readBody, readEvent, queue, now }
    const pages = createPages({
      ...{ app, queue, login: loginOf(environment, log) },
      askAccess: createAskAccess(apiUrl, Date.now),
    })
    const http = await listen({ reception, counts, metrics, pages, log, redact }, environment)
    const timer = reception !== null && startClock({ environment, app, queue, clock, writes, log })
    if (serve !== null) {
      const { telemetry } = metrics
      const services = {
        ...serve,
        app,
        environment,
        clock,
        writes,
        spending,
        queue,
        log,
        telemetry,
      }
      await queue.work(
        measured((job, signal) => serveJob(job, services, signal), { metrics, log }),
        { concurrency },
      )
    }
    return {
      url: http.url,
      async close() {
        if (timer) clearInterval(timer)
        await http.close()
        await queue.close(graceSeconds)
        await metrics.telemetry.close()
      },
    }
  } catch (error) {
    await queue.close(0)
    throw error
  }
}

/** Starts the clock of `runner: local`, if the operator allows that to some repository. */
function startClock(
  services: Pick<JobServices, 'environment' | 'clock' | 'writes' | 'log'> & {
    readonly environment: AppEnvironment
    readonly app: GitHubApp
    readonly queue: Pick<JobQueue<AppWork>, 'enqueue'>
  },
): NodeJS.Timeout | null {
  const { environment, clock, log, queue } = services
  if (environment.localRepositories.length === 0) return null
  const look = createRunClock({
    ...services,
    readSchedule: (place) => readSchedule(place, services),
    enqueue: (job) => queue.enqueue(job),
    now: () => clock.now(),
  })
  const tick = () => {
    look().catch((error: unknown) => log(`The clock: ${String(error)}`, { level: 'warn' }))
  }
  tick()
  return setInterval(tick, 60_000).unref()
}

const secretsOf = ({ privateKey, webhookSecret, pages, client }: AppEnvironment) =>
  [privateKey, webhookSecret, pages?.token, client?.secret].filter(
    (secret): secret is string => typeof secret === 'string' && secret !== '',
  )

function loginOf(environment: AppEnvironment, log: AppLog): LoginOptions | null {
  const { pages, privateKey, webhookSecret, client, publicUrl, serverUrl, apiUrl } = environment
  if (pages === null) return null
  // All processes of the App derive the same key, and a new token ends all sessions.
  const secret = [privateKey, webhookSecret, pages.token].join(' ')
  return {
    ...{ publicUrl, serverUrl, apiUrl, pagesToken: pages.token },
    cookies: createSealedCookies(secret, Date.now),
    client: pages.withGitHub ? client : null,
    log: (line) => log(line, { level: 'warn' }),
  }
}

const listen = (
  options: Parameters<typeof startHttpServer>[0],
  { host, port }: AppEnvironment,
): Promise<RunningHttp> =>
  startHttpServer(options, { host, port }).catch((cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause
    const detail = `the App cannot listen on HOST ${host}, PORT ${port} (${String(code)})`
    throw new ExecutorError('app_not_configured', detail, { cause })
  })

function measured(
  handler: JobHandler<AppWork>,
  { metrics, log }: { readonly metrics: Metrics; readonly log: AppLog },
): JobHandler<AppWork> {
  return async (job, signal) => {
    const start = performance.now()
    const note = (status: 'done' | 'again' | 'failed', reason: string) => {
      const seconds = (performance.now() - start) / 1000
      metrics.job(status, seconds)
      const { repository, event, id } = job
      const facts = { repository, event, job: id, status, seconds }
      if (status === 'done') log(`${repository}: ${event} done`, { ...facts, level: 'debug' })
      else log(`${repository}: ${event} (${id}) ${status}: ${reason}`, { ...facts, level: 'warn' })
    }
    try {
      const result = await handler(job, signal)
      note(result.status, 'reason' in result ? result.reason : '')
      return result
    } catch (error) {
      note('again', error instanceof Error ? (error.stack ?? error.message) : String(error))
      throw error
    }
  }
}
