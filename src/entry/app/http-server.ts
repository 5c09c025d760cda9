import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { openPullMetrics } from '../../adapters/telemetry/pull-metrics.ts'
import type { Telemetry } from '../../adapters/telemetry/signals.ts'
import { wantedSignals } from '../../adapters/telemetry.ts'
import type { JobCounts, JobResult } from '../../core/ports/job-queue.ts'
import { version } from '../version.ts'
import { type Reception, receiveWebhook, type WebhookResult } from './receive-webhook.ts'
import type { AppLog } from './serve-job.ts'

export interface HttpOptions {
  /** `null`: another process receives webhooks. */
  readonly reception: Reception | null
  readonly counts: () => Promise<JobCounts>
  readonly metrics: Metrics
  readonly log: AppLog
  readonly redact: (text: string) => string
}

export interface RunningHttp {
  /** `http://127.0.0.1:3000`. */
  readonly url: string
  /** Accepts no more connections, and resolves when all current requests are answered. */
  close(): Promise<void>
}

const webhookPath = '/api/github/webhooks'

/** Longer than GitHub waits, and how often to check for requests that take longer. */
const patience = {
  requestTimeout: 15_000,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
} as const

const mostConnections = 256

export async function startHttpServer(
  options: HttpOptions,
  place: { readonly host: string; readonly port: number },
): Promise<RunningHttp> {
  const server = createServer(patience, (request, response) => {
    answer(request, options)
      .catch((error: unknown): Answer => {
        options.log(`A request could not be answered: ${String(error)}`, { level: 'error' })
        return json(500, { message: 'Internal error.' })
      })
      .then(({ status, type, body }) => {
        // The rest of a refused request is not read.
        if (!request.complete) response.setHeader('connection', 'close')
        response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' })
        response.end(options.redact(body))
      })
  })
  server.maxConnections = mostConnections
  // Rejects with the error of `listen`.
  await once(server.listen(place.port, place.host), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : place.port
  return {
    url: `http://${place.host === '0.0.0.0' ? '127.0.0.1' : place.host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

async function answer(request: IncomingMessage, options: HttpOptions): Promise<Answer> {
  const [pathname] = (request.url ?? '/').split('?', 1)
  const method = request.method ?? 'GET'
  if (pathname === webhookPath && options.reception !== null) {
    return method === 'POST' ? receive(request, options.reception, options) : notAllowed
  }
  if (pathname === '/healthz') return method === 'GET' ? sayHealth(options) : notAllowed
  if (pathname === '/metrics') return method === 'GET' ? sayMetrics(options) : notAllowed
  return json(404, { message: `The paths are ${webhookPath}, /healthz and /metrics.` })
}

async function receive(
  request: IncomingMessage,
  reception: Reception,
  { metrics, log }: HttpOptions,
): Promise<Answer> {
  try {
    const { status, result, message, event } = await receiveWebhook(request, reception)
    metrics.webhook(event, result)
    if (status >= 400) log(`A webhook was refused (${status}): ${message}`, { level: 'warn' })
    return json(status, { result, message })
  } catch (error) {
    metrics.webhook('', 'failed')
    log(`A webhook could not be queued: ${String(error)}`, { level: 'error' })
    return json(503, { result: 'failed', message: 'It could not be queued; deliver it again.' })
  }
}

async function sayHealth({ counts }: HttpOptions): Promise<Answer> {
  const found = await counts().catch(() => null)
  return found === null
    ? json(503, { status: 'the queue cannot be reached', version })
    : json(200, { status: 'ok', version, jobs: found })
}

async function sayMetrics({ metrics }: HttpOptions): Promise<Answer> {
  const body = await metrics.write()
  return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body }
}

const json = (status: number, body: object): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: `${JSON.stringify(body)}\n`,
})

const notAllowed = json(405, { message: 'This path does not allow the method.' })

/** What this process has counted since it started, for Prometheus and other receivers. */
export interface Metrics {
  /** `event` is GitHub's name, or empty without a valid signature. */
  webhook(event: string, result: WebhookResult): void
  job(result: JobResult['status'], seconds: number): void
  write(): Promise<string>
  /** For this process's runs, whose measurements are included. */
  readonly telemetry: Telemetry
}

/** Upper bounds in seconds: a dispatch takes one or two, a local run minutes to hours. */
const bounds = [0.5, 1, 2, 5, 15, 60, 300, 1800, 7200]

const states = ['waiting', 'active', 'done', 'failed'] as const

/** `counts` is called on every read; it throws when the queue cannot be reached. */
export function createMetrics(
  counts: () => Promise<JobCounts>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Metrics {
  const { meter, write, ...telemetry } = openPullMetrics(wantedSignals(environment))
  const gauge = (name: string, description: string) =>
    meter.createObservableGauge(name, { description })
  const info = gauge('executor_info', 'The running version.')
  const up = gauge('executor_queue_up', 'Whether the queue can be reached.')
  const jobs = gauge('executor_jobs', 'Jobs in the queue; done and failed are of the last 7 days.')
  meter.addBatchObservableCallback(
    async (observed) => {
      const found = await counts().catch(() => null)
      observed.observe(info, 1, { version })
      observed.observe(up, found === null ? 0 : 1)
      for (const state of found === null ? [] : states) {
        observed.observe(jobs, found?.[state] ?? 0, { state })
      }
    },
    [info, up, jobs],
  )
  const webhooks = meter.createCounter('executor_webhooks', {
    description: 'Webhooks by event and result.',
  })
  const seconds = meter.createHistogram('executor_job_seconds', {
    description: 'Seconds that this process took to serve a job.',
    advice: { explicitBucketBoundaries: bounds },
  })
  return {
    webhook: (event, result) => webhooks.add(1, { event: event.replace(/\W/g, '_'), result }),
    job: (result, took) => seconds.record(took, { result }),
    write,
    telemetry,
  }
}
