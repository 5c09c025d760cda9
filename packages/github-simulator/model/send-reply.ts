import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Completion, cutIntoPieces } from './completion.ts'
import type { Dialect } from './dialect.ts'
import type { Fault } from './model-script.ts'

export interface Delivery {
  readonly dialect: Dialect
  readonly response: ServerResponse
  readonly completion: Completion
  readonly stream: boolean
  readonly includeUsage: boolean
  readonly fault: Fault | undefined
  /** Ends every wait when the server closes. */
  readonly closing: AbortSignal
}

/** Sends one answer, whole or with its fault. */
export async function sendReply(delivery: Delivery): Promise<void> {
  const { response, fault } = delivery
  switch (fault?.kind) {
    case 'status':
      return sendStatus(delivery, fault)
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!DOCTYPE html>\n<html><body><h1>Welcome to the gateway</h1></body></html>\n')
      return
    case 'garbage':
      start(delivery)
      response.end(delivery.stream ? 'data: {"choices": [{"del\n\n' : '{"choices": [{"mess')
      return
    case 'drop':
      response.destroy()
      return
    case 'endless':
      return sendForEver(delivery)
    case 'truncate':
      return sendTruncated(delivery, fault)
    case 'slow':
      return sendSlowly(delivery, fault)
    default:
      return sendWhole(delivery)
  }
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function sendStatus(
  { dialect, response }: Delivery,
  fault: Extract<Fault, { kind: 'status' }>,
): void {
  const { status, retryAfter } = fault
  const type = errorTypes[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error')
  const message = fault.message ?? `The script says ${status}.`
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter))
  const refusal = { status, message, type, param: null, code: fault.code ?? null }
  sendJson(response, status, dialect.formatRefusal(refusal))
}

const errorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
}

function sendWhole(delivery: Delivery): void {
  start(delivery)
  delivery.response.end(splitAnswer(delivery, 0).join(''))
}

function sendTruncated(delivery: Delivery, fault: Extract<Fault, { kind: 'truncate' }>): void {
  const { response, completion } = delivery
  const [head] = splitAnswer(delivery, fault.after ?? Math.floor(completion.text.length / 2))
  start(delivery)
  response.write(head, () => response.destroy())
}

async function sendSlowly(
  delivery: Delivery,
  fault: Extract<Fault, { kind: 'slow' }>,
): Promise<void> {
  const [head, rest] = splitAnswer(delivery, fault.after ?? 0)
  if (fault.after !== undefined) {
    start(delivery)
    delivery.response.write(head)
  }
  await wait(fault.seconds * 1000, undefined, { signal: delivery.closing, ref: false })
  start(delivery)
  delivery.response.end(fault.after === undefined ? head + rest : rest)
}

/** The bytes of an answer up to this many characters of its text (or of its JSON). */
function splitAnswer(
  { dialect, completion, stream, includeUsage }: Delivery,
  at: number,
): readonly [head: string, rest: string] {
  if (!stream) {
    const json = JSON.stringify(dialect.formatWhole(completion))
    return [json.slice(0, at), json.slice(at)]
  }
  const { text } = completion
  const head = cutIntoPieces(text.slice(0, at))
  const pieces = [...head, ...cutIntoPieces(text.slice(at))]
  const { opening, deltas, ending } = dialect.formatStream(completion, pieces, includeUsage)
  return [
    opening + deltas.slice(0, head.length).join(''),
    deltas.slice(head.length).join('') + ending,
  ]
}

async function sendForEver(delivery: Delivery): Promise<void> {
  const { dialect, response, completion, stream, includeUsage, closing } = delivery
  const text = completion.text === '' ? 'and so on, ' : completion.text
  const said = { ...completion, text }
  const { opening, deltas } = dialect.formatStream(said, cutIntoPieces(text), includeUsage)
  const more = stream ? deltas.join('') : JSON.stringify(text)
  start(delivery)
  response.write(stream ? opening : '{"choices":')
  const gone = once(response, 'close')
  while (!response.destroyed && !closing.aborted) {
    if (!response.write(more)) await Promise.race([once(response, 'drain'), gone])
  }
}

function start({ response, stream }: Delivery): void {
  if (response.headersSent) return
  response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
}
