import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  clip,
  estimateTokens,
  isFields,
  oneLine,
  parseJson,
  takingTurns,
} from '../../packages/text/text.ts'
import { dollarsFor, noUsage, priceOf } from '../core/domain/usage.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { Admit, OpenRelay, Relay, RelayFailure } from '../core/ports/relay.ts'
import {
  type ApiForm,
  admittedBody,
  formOf,
  leadsElsewhere,
  lengthIn,
} from './model-relay/api-forms.ts'
import { type Tokens, UsageCounter } from './model-relay/count-usage.ts'
import { homeFilesFor, variablesFor } from './model-relay/programs.ts'
import { type EndpointOptions, isNearby } from './openai/endpoint.ts'
import { patientFetch, startDeadline } from './openai/patient-fetch.ts'
import { limitTime, unknownSpeed } from './openai/speed.ts'

export interface ModelRelayOptions extends EndpointOptions {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly redact: (text: string) => string
}

/** In bytes, of a request. */
const largestRequest = 32_000_000
/** In bytes, of an error that is passed on. */
const largestError = 64_000

const passedOn = ['accept', 'anthropic-beta', 'anthropic-version', 'content-type', 'openai-beta']

/**
 * A server on loopback that passes a program's requests on to the model's endpoint with the key, one after another, each
 * admitted and booked. The program proves itself with a random word that opens nothing else.
 */
export function createModelRelay(options: ModelRelayOptions): Relay {
  return {
    async open(model, admit) {
      const session = new Session(options, admit)
      const server = createServer((asked, answer) => void session.serve(asked, answer))
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      return {
        port,
        env: variablesFor(port, session.word, model),
        homeFiles: homeFilesFor(port, model),
        signal: session.signal,
        overBudget: () => session.overBudget,
        failure: () => session.failure,
        async close() {
          server.close()
          session.end()
          server.closeAllConnections()
          await session.settled()
        },
      } satisfies OpenRelay
    },
  }
}

class Session {
  readonly word = `sk-relay-${randomBytes(24).toString('hex')}`
  readonly signal: AbortSignal
  overBudget: string | null = null
  failure: RelayFailure | null = null
  readonly #options: ModelRelayOptions
  readonly #admit: Admit
  readonly #over = new AbortController()
  readonly #ended = new AbortController()
  /** The budget is exact only while one request is open. */
  readonly #inTurn = takingTurns()

  constructor(options: ModelRelayOptions, admit: Admit) {
    this.#options = options
    this.#admit = admit
    this.signal = AbortSignal.any([options.signal, this.#over.signal])
  }

  end(): void {
    this.#ended.abort()
  }

  settled(): Promise<void> {
    return this.#inTurn(async () => {})
  }

  async serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    answer.on('error', () => undefined)
    try {
      const { pathname, search } = new URL(asked.url ?? '/', 'http://relay')
      const scheme = schemeOf(asked, this.word)
      if (scheme === null) return refuse(answer, 401, 'The key is not that of this relay.')
      const form = formOf(pathname)
      if (form === null || asked.method !== 'POST') {
        return refuse(
          answer,
          404,
          'The executor passes on chat completions, responses and messages.',
        )
      }
      const headers = { ...headersOf(asked), ...withKey(scheme, this.#options.apiKey) }
      // Bodies wait outside: only one is in memory.
      await this.#inTurn(async () => {
        const body = await readBody(asked)
        if (body === null) return refuse(answer, 400, 'The request is not a JSON object.')
        if (leadsElsewhere(body)) {
          return refuse(
            answer,
            400,
            'The request names an address or stored data that the endpoint would read.',
          )
        }
        await this.#pass({ form, search, headers, body }, answer)
      })
    } catch (error) {
      if (answer.headersSent) answer.destroy()
      else refuse(answer, 502, error instanceof Error ? error.message : 'The relay failed.')
    }
  }

  async #pass(request: Passed, answer: ServerResponse): Promise<void> {
    if (answer.destroyed || this.#ended.signal.aborted) return
    const { settings } = this.#options
    const promptTokens = estimateTokens(JSON.stringify(request.body))
    const maxOutputTokens = lengthIn(request.form, request.body, settings.maxOutputTokens)
    const admission = await this.#admit({ promptTokens, maxOutputTokens })
    if (admission.status === 'over_budget') {
      this.overBudget = admission.reason
      refuse(answer, 403, admission.reason, 'insufficient_quota')
      this.#over.abort()
      return
    }
    const began = this.#options.clock.monotonic()
    let [status, tokens]: [number, Tokens | null] = [0, null]
    try {
      const body = admittedBody(request.form, request.body, admission)
      const most = { promptTokens, completionTokens: admission.maxOutputTokens }
      const passed = await this.#ask({ ...request, body }, answer, most)
      status = passed.status
      tokens = passed.tokens
    } finally {
      const seconds = this.#options.clock.monotonic() - began
      const dollars = tokens ? dollarsFor(tokens, priceOf(admission.model, settings.prices)) : 0
      const usage = { ...noUsage, requests: 1, ...tokens, dollars }
      await admission.settle({ status, usage, seconds })
    }
  }

  /**
   * Passes one request on, and its answer back as it comes. The endpoint bills an answer that the program no longer
   * reads, so the relay reads it to its end. A request that the relay itself ends counts with its text so far, or, where
   * the endpoint writes on unseen, as the most that it may take.
   */
  async #ask({ form, search, headers, body }: Passed, answer: ServerResponse, most: Tokens) {
    const { baseUrl, settings, redact } = this.#options
    const asked = { promptTokens: most.promptTokens, maxOutputTokens: most.completionTokens }
    const known = { speed: unknownSpeed, isNear: isNearby(baseUrl) }
    const limits = limitTime(asked, known, settings)
    const deadline = startDeadline(limits, AbortSignal.any([this.signal, this.#ended.signal]))
    const counter = { of: new UsageCounter('') }
    try {
      // A redirection would take the key elsewhere.
      const response = await patientFetch(`${baseUrl.replace(/\/+$/, '')}${form.path}${search}`, {
        ...{ method: 'POST', headers, body: JSON.stringify(body) },
        ...{ signal: deadline.signal, redirect: 'error' },
      })
      deadline.heard()
      const { status } = response
      const type = response.headers.get('content-type') ?? 'application/json'
      if (!response.ok) {
        const text = redact(await response.text()).slice(0, largestError)
        this.failure = {
          status,
          reason: `${new URL(baseUrl).host} answers ${status}: ${clip(oneLine(text), 300)}`,
        }
        const again = response.headers.get('retry-after')
        answer.writeHead(status, { 'content-type': type, ...(again && { 'retry-after': again }) })
        answer.end(text)
        return { status, tokens: null }
      }
      counter.of = new UsageCounter(type)
      answer.writeHead(status, { 'content-type': type })
      for await (const bytes of response.body ?? []) {
        deadline.begun()
        deadline.heard()
        counter.of.add(bytes)
        await writeTo(answer, bytes, deadline.signal)
      }
      this.failure = null
      answer.end()
      return { status, tokens: counter.of.end(most.promptTokens) }
    } catch (error) {
      const isOurs = deadline.signal.aborted
      if (!isOurs || deadline.expired() !== null) {
        const reason = deadline.expired()?.why ?? causeOf(error)
        this.failure = { status: 0, reason: `${new URL(baseUrl).host}: ${redact(reason)}` }
      }
      const written = body.stream === true ? 0 : most.completionTokens
      const least = isOurs ? { ...most, completionTokens: written } : none
      const tokens = counter.of.cut(most.promptTokens, least)
      if (answer.headersSent) {
        answer.destroy()
        return { status: 200, tokens }
      }
      refuse(answer, 502, this.failure?.reason ?? 'The request was cancelled.')
      return { status: 0, tokens }
    } finally {
      deadline.stop()
    }
  }
}

const none: Tokens = { promptTokens: 0, completionTokens: 0 }

/** Waits for a slow reader; one that is gone gets nothing. */
async function writeTo(answer: ServerResponse, bytes: Uint8Array, signal: AbortSignal) {
  if (answer.destroyed || answer.write(bytes)) return
  await new Promise<void>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    const goOn = () => {
      signal.removeEventListener('abort', stop)
      for (const event of ['drain', 'close']) answer.off(event, goOn)
      resolve()
    }
    for (const event of ['drain', 'close']) answer.once(event, goOn)
  })
}

interface Passed {
  readonly form: ApiForm
  readonly search: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

type Scheme = 'authorization' | 'x-api-key'

/** The header with the relay's word; `null` without it. */
function schemeOf({ headers }: IncomingMessage, word: string): Scheme | null {
  const isWord = (given: unknown) => {
    const [said, meant] = [Buffer.from(String(given)), Buffer.from(word)]
    return said.length === meant.length && timingSafeEqual(said, meant)
  }
  if (isWord(headers['x-api-key'])) return 'x-api-key'
  return isWord(headers.authorization?.replace(/^Bearer /i, '')) ? 'authorization' : null
}

const withKey = (scheme: Scheme, key: string): Readonly<Record<string, string>> => ({
  [scheme]: scheme === 'authorization' ? `Bearer ${key.trim()}` : key.trim(),
})

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

/** The body, which must be a JSON object. */
async function readBody(asked: IncomingMessage): Promise<Passed['body'] | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of asked as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > largestRequest) throw new Error('The request is too large.')
    chunks.push(chunk)
  }
  const value = parseJson(Buffer.concat(chunks).toString('utf8'))
  return isFields(value) ? value : null
}

/** An error in the form that OpenAI's and Anthropic's clients read. */
function refuse(
  answer: ServerResponse,
  status: number,
  message: string,
  type = 'invalid_request_error',
) {
  if (answer.headersSent || answer.destroyed) return
  const error = { type: 'error', error: { type, code: type, message } }
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(error))
}

/** `fetch` says only that it failed; its cause says why. */
function causeOf(error: unknown): string {
  const { cause = error } = Object(error)
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}
