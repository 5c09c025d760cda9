import type { IncomingMessage } from 'node:http'
import { openPullMetrics } from '../../adapters/telemetry/pull-metrics.ts'
import type { Telemetry } from '../../adapters/telemetry/signals.ts'
import { wantedSignals } from '../../adapters/telemetry.ts'
import type { JobCounts, JobResult } from '../../core/ports/job-queue.ts'
import { version } from '../version.ts'
import type { AppLog } from './app-log.ts'
import { type HttpAnswer, json, methodNotAllowed, requestTarget } from './http/answer.ts'
import { type HttpPlace, listenHttp, type RunningHttp } from './http/listen.ts'
import { noSuchPage } from './http/page.ts'
import { type Reception, receiveWebhook, type WebhookResult } from './receive-webhook.ts'
import { webhookPath } from './set-up/app-manifest.ts'

export interface HttpOptions {
  /** `null`: another process receives webhooks. */
  readonly reception: Reception | null
  readonly counts: () => Promise<JobCounts>
  readonly metrics: Metrics
  /** The pages for people; `null` for a path that is none of them. */
  readonly pages?: (request: IncomingMessage) => Promise<HttpAnswer | null>
  readonly log: AppLog
  readonly redact: (text: string) => string
}

/** Rejects with the error of `listen`. */
export const startHttpServer = (options: HttpOptions, place: HttpPlace): Promise<RunningHttp> =>
  listenHttp((request) => answer(request, options), place, options)

async function answer(request: IncomingMessage, options: HttpOptions): Promise<HttpAnswer> {
  const { pathname } = requestTarget(request)
  const method = request.method ?? 'GET'
  if (pathname === webhookPath && options.reception !== null) {
    return method === 'POST' ? receive(request, options.reception, options) : methodNotAllowed
  }
  if (pathname === '/healthz') return method === 'GET' ? sayHealth(options) : methodNotAllowed
  if (pathname === '/metrics') return method === 'GET' ? sayMetrics(options) : methodNotAllowed
  return (await options.pages?.(request)) ?? noSuchPage()
}

async function receive(
  request: IncomingMessage,
  reception: Reception,
  { metrics, log }: HttpOptions,
): Promise<HttpAnswer> {
  try {
    const { status, result, message, event } = await receiveWebhook(request, reception)
    metrics.webhook(event, result)
    if (event === 'ping') log('GitHub pinged the webhook, and its signature is right.')
    if (status >= 400) log(`A webhook was refused (${status}): ${message}`, { level: 'warn' })
    return json(status, { result, message })
  } catch (error) {
    metrics.webhook('', 'failed')
    log(`A webhook could not be queued: ${String(error)}`, { level: 'error' })
    return json(503, { result: 'failed', message: 'It could not be queued; deliver it again.' })
  }
}

async function sayHealth({ counts }: HttpOptions): Promise<HttpAnswer> {
  const found = await counts().catch(() => null)
  return found === null
    ? json(503, { status: 'the queue cannot be reached', version })
    : json(200, { status: 'ok', version, jobs: found })
}

async function sayMetrics({ metrics }: HttpOptions): Promise<HttpAnswer> {
  const body = await metrics.write()
  const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }
  return { status: 200, headers, body }
}

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
