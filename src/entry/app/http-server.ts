import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { JobCounts } from '../../core/ports/job-queue.ts'
import { version } from '../version.ts'
import type { Metrics } from './metrics.ts'
import { type Reception, receiveWebhook } from './receive-webhook.ts'
import type { AppLog } from './serve-job.ts'

export interface HttpOptions {
  /** `null`: webhooks go to another process. */
  readonly reception: Reception | null
  readonly counts: () => Promise<JobCounts>
  readonly metrics: Metrics
  /** Takes notes of what went wrong. */
  readonly log: AppLog
  /** What is answered passes it. */
  readonly redact: (text: string) => string
}

export interface RunningHttp {
  /** `http://127.0.0.1:3000`. */
  readonly url: string
  /** Takes no new connection, and ends when the requests at hand are answered. */
  close(): Promise<void>
}

const webhookPath = '/api/github/webhooks'

/** Longer than GitHub waits itself; and how often is looked for those that take longer. */
const patience = {
  requestTimeout: 15_000,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
} as const

/** One more is closed at once. */
const mostConnections = 256

export async function startHttpServer(
  options: HttpOptions,
  place: { readonly host: string; readonly port: number },
): Promise<RunningHttp> {
  const server = createServer(patience, (request, response) => {
    answer(request, options)
      .catch((error: unknown): Answer => {
        options.log(`A request could not be answered: ${String(error)}`, { level: 'error' })
        return json(500, { message: 'Something went wrong here.' })
      })
      .then(({ status, type, body }) => {
        // What was not read of a refused request is not read any more.
        if (!request.complete) response.setHeader('connection', 'close')
        send(response, status, type, options.redact(body))
      })
  })
  server.maxConnections = mostConnections
  await listen(server, place)
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
  return json(404, { message: `There is ${webhookPath}, /healthz and /metrics.` })
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
    log(`A webhook could not be kept: ${String(error)}`, { level: 'error' })
    return json(503, { result: 'failed', message: 'It could not be kept; deliver it again.' })
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

const notAllowed = json(405, { message: 'Not with this method.' })

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' })
  response.end(body)
}

async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
