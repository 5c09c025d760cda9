import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { LogFacts, LogLevel } from '../../../adapters/pino-log.ts'
import { type HttpAnswer, json } from './answer.ts'

export interface HttpPlace {
  readonly host: string
  readonly port: number
}

export interface HttpTools {
  readonly log: (line: string, facts?: LogFacts & { readonly level?: LogLevel }) => void
  readonly redact: (text: string) => string
}

export interface RunningHttp {
  /** `http://127.0.0.1:3000`. */
  readonly url: string
  /** Accepts no more connections, and resolves when all current requests are answered. */
  close(): Promise<void>
}

/** Longer than GitHub waits, and how often to check for requests that take longer. */
const patience = {
  requestTimeout: 15_000,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
} as const

const mostConnections = 256

/** Rejects with the error of `listen`. */
export async function listenHttp(
  answer: (request: IncomingMessage) => Promise<HttpAnswer>,
  place: HttpPlace,
  { log, redact }: HttpTools,
): Promise<RunningHttp> {
  const server = createServer(patience, (request, response) => {
    answer(request)
      .catch((error: unknown): HttpAnswer => {
        log(`A request could not be answered: ${String(error)}`, { level: 'error' })
        return json(500, { message: 'Internal error.' })
      })
      .then(({ status, headers, body }) => {
        // The rest of a refused request is not read.
        if (!request.complete) response.setHeader('connection', 'close')
        response.writeHead(status, { ...headers, 'x-content-type-options': 'nosniff' })
        response.end(redact(body))
      })
  })
  server.maxConnections = mostConnections
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
