/** Stands between a program and the model: records every request with its answer, and ends what asks too often. */
import { appendFile } from 'node:fs/promises'
import {
  request as askByHttp,
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { request as askByHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { type AnswerFacts, readAnswer } from './read-answer.ts'

export interface ProxyOptions {
  /** The base URL of the model, ending in `/v1`. */
  readonly upstream: string
  /** Sent in place of the program's own, if given. */
  readonly apiKey: string | undefined
  /** Takes a JSON line for each exchange. */
  readonly file: string
  /** Set where a request has none; `null` leaves that to the server. */
  readonly temperature: number | null
  readonly mostRequests: number
  /** Called once: the program asks once more than it may, or the model cannot be reached. */
  readonly onStop: () => void
}

/** A request to the model, and what came of it. */
export interface Exchange extends Omit<AnswerFacts, 'usage' | 'pieces'> {
  readonly path: string
  /** What the executor asks for, from its header. */
  readonly purpose: string | null
  readonly request: Readonly<Record<string, unknown>>
  /** The temperature that the program itself asked for. */
  readonly ownTemperature: number | null
  /** HTTP status; 0 where no answer came. */
  readonly status: number
  /** What the server said where that is no answer. */
  readonly refusal: string
  readonly promptTokens: number
  readonly completionTokens: number
  /** True when the server did not count, as for an answer that was cut off. */
  readonly isEstimated: boolean
  /** The program closed the connection before the end. */
  readonly isCut: boolean
  readonly seconds: number
  readonly firstByteSeconds: number | null
}

export interface RecordProxy {
  /** Ends in `/v1`. */
  readonly url: string
  readonly exchanges: readonly Exchange[]
  /** Why the model cannot be reached; `null` as long as it can. */
  readonly fault: string | null
  /** Cuts what is still open, and waits until everything is written. */
  close(): Promise<void>
}

const chat = /\/(?:chat\/completions|completions|responses|messages|api\/chat|api\/generate)$/

export async function startRecordProxy(options: ProxyOptions): Promise<RecordProxy> {
  const exchanges: Exchange[] = []
  const open = new Set<Promise<void>>()
  let [asked, fault]: [number, string | null] = [0, null]
  const server = createServer((request, response) => {
    const isChat = request.method === 'POST' && chat.test(pathOf(request))
    if (isChat) asked += 1
    if (isChat && asked > options.mostRequests) {
      if (asked === options.mostRequests + 1) options.onStop()
      response.destroy()
      return
    }
    const work = forward(options, request, response, isChat)
      .then(async (exchange) => {
        if (exchange === null) return
        if (typeof exchange === 'string') {
          if (fault === null) options.onStop()
          fault = exchange
          return
        }
        exchanges.push(exchange)
        await appendFile(options.file, `${JSON.stringify(exchange)}\n`)
      })
      .finally(() => open.delete(work))
    open.add(work)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    exchanges,
    get fault() {
      return fault
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await Promise.all(open)
    },
  }
}

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?')[0] ?? '/'

/** The exchange; null for what is no question to the model, and the reason where it cannot be reached. */
async function forward(
  options: ProxyOptions,
  request: IncomingMessage,
  response: ServerResponse,
  isChat: boolean,
): Promise<Exchange | string | null> {
  const given = await buffer(request)
  const { body, ownTemperature } = isChat
    ? completeRequest(given, options.temperature)
    : { body: {}, ownTemperature: null }
  const bytes = isChat ? Buffer.from(JSON.stringify(body)) : given
  const started = performance.now()
  const heard = await relay(options, request, response, bytes)
  const seconds = (performance.now() - started) / 1000
  if (!isChat) return null
  if (heard.fault !== null) return heard.fault
  const { usage, pieces, ...answer } = readAnswer(heard.raw)
  const isAnswered = heard.status >= 200 && heard.status < 300
  // The server works on what the program does not wait for.
  const isEstimated = usage === null && (isAnswered || heard.isCut)
  const purpose = request.headers['x-executor-purpose']
  return {
    path: pathOf(request),
    purpose: typeof purpose === 'string' ? purpose : null,
    request: body,
    ownTemperature,
    ...answer,
    status: heard.status,
    refusal: isAnswered ? '' : heard.raw.slice(0, 2_000),
    promptTokens: usage?.promptTokens ?? (isEstimated ? countTokens(promptOf(body)) : 0),
    completionTokens: usage?.completionTokens ?? pieces,
    isEstimated,
    isCut: heard.isCut,
    seconds,
    firstByteSeconds: heard.firstByte === null ? null : (heard.firstByte - started) / 1000,
  }
}

const promptOf = (body: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(body.messages ?? body.input ?? body.prompt ?? '')

/** Asks for the server's count, and for the temperature where the program names none. */
function completeRequest(
  given: Buffer,
  temperature: number | null,
): {
  readonly body: Readonly<Record<string, unknown>>
  readonly ownTemperature: number | null
} {
  const body: Record<string, unknown> = JSON.parse(given.toString('utf8'))
  const own = typeof body.temperature === 'number' ? body.temperature : null
  const counts = body.stream === true && Array.isArray(body.messages)
  return {
    ownTemperature: own,
    body: {
      ...body,
      ...(counts && { stream_options: { include_usage: true } }),
      ...(own === null && temperature !== null && { temperature }),
    },
  }
}

interface Heard {
  readonly status: number
  readonly raw: string
  readonly isCut: boolean
  readonly firstByte: number | null
  /** Why the answer did not come to its end, although the program waited for it. */
  readonly fault: string | null
}

/** Passes on every byte as it comes: no limit of time, for a slow model is not a stalled one. */
function relay(
  { upstream, apiKey }: ProxyOptions,
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
): Promise<Heard> {
  const url = addressOf(upstream, request.url ?? '/')
  const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers
  const ask = url.protocol === 'https:' ? askByHttps : askByHttp
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let [status, firstByte, fault]: [number, number | null, string | null] = [0, null, null]
    const end = (isCut: boolean) =>
      resolve({ status, raw: Buffer.concat(pieces).toString('utf8'), isCut, firstByte, fault })
    const outgoing = ask(url, {
      method: request.method,
      headers: {
        ...headers,
        'accept-encoding': 'identity',
        'content-length': bytes.length,
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
    })
    // The server stops writing when the program has left.
    response.once('close', () => {
      if (!response.writableFinished) outgoing.destroy()
      end(!response.writableFinished)
    })
    const giveUp = ({ message }: Error) => {
      if (!response.destroyed) fault = message
      response.destroy()
    }
    outgoing.once('error', giveUp)
    outgoing.once('response', (answer) => {
      status = answer.statusCode ?? 0
      const { 'transfer-encoding': chunked, connection, ...kept } = answer.headers
      response.writeHead(status, kept)
      response.flushHeaders()
      answer.on('data', (piece: Buffer) => {
        firstByte ??= performance.now()
        pieces.push(piece)
      })
      answer.once('error', giveUp)
      answer.pipe(response)
    })
    outgoing.end(bytes)
  })
}

/** `/v1/…` below the base URL; the server's own pages, such as `/props`, beside it. */
export function addressOf(upstream: string, path: string): URL {
  const base = upstream.replace(/\/+$/, '')
  return path.startsWith('/v1/')
    ? new URL(`${base}${path.slice(3)}`)
    : new URL(`${base.replace(/\/v1$/, '')}${path}`)
}
