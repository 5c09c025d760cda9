import { BlockList, isIP } from 'node:net'
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import { clip, estimatePromptTokens, estimateTokens, oneLine } from '../../../packages/text/text.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { dollarsFor, noUsage, priceOf, type Usage } from '../../core/domain/usage.ts'
import type { AnswerProgress, ModelRequest } from '../../core/ports/model.ts'
import { AnswerReader, UnusableAnswer } from './answer-reader.ts'
import { repetitionStep } from './find-repetition.ts'
import { type Deadline, patientFetch, startDeadline } from './patient-fetch.ts'
import { type ModelFailure, passingFailure, readFailure, withoutKey } from './read-failure.ts'
import { buildBody, noteRefusal, type Refused } from './request-body.ts'
import {
  estimateReading,
  joinSpeeds,
  limitTime,
  measureSpeed,
  type Speed,
  unknownSpeed,
} from './speed.ts'

export interface EndpointOptions {
  /** The API's root, usually ending in `/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly settings: Settings['model']
  /** Aborts when the run is cancelled. */
  readonly signal: AbortSignal
}

/** No answer: a temporary failure, or a request that is too large. */
export class NoAnswer extends Error {
  readonly failure: ModelFailure

  constructor(reason: string, failure: ModelFailure) {
    super(reason)
    this.name = 'NoAnswer'
    this.failure = failure
  }
}

export interface HeardAnswer
  extends Pick<AnswerReader, 'text' | 'ending' | 'why' | 'isOnlyCalls' | 'endsInCall'> {
  /** True if the answer repeated itself or was much longer than allowed, and was not read to its end. */
  readonly runaway: boolean
  /** Tokens of a prompt that a server nearby reads in a second; `null` if unknown. */
  readonly promptSpeed: number | null
}

const nothing: HeardAnswer = {
  ...{ text: '', why: '', isOnlyCalls: false, endsInCall: false },
  ...{ ending: 'stopped', runaway: false, promptSpeed: null },
}

type Tell = (progress: AnswerProgress) => void

/** In characters; a higher average per token means that the answer would not end by itself. */
const longestToken = 8

/** In characters; limits the memory for a body without text. */
const largestBody = 64_000_000

export class Endpoint {
  readonly #options: EndpointOptions
  readonly #connection: ReturnType<typeof connect>
  readonly #refusedBy = new Map<string, Refused>()
  /** By model. */
  readonly #speeds = new Map<string, Speed>()
  readonly #isNear: boolean

  constructor(options: EndpointOptions) {
    this.#options = options
    this.#isNear = isNearby(options.baseUrl)
    // Loading takes 40 ms bundled, 150 ms from node_modules, so it starts while git still works.
    this.#connection = connect(options)
    this.#connection.catch(() => {})
  }

  /**
   * Sends a request, and again only without parameters that the endpoint refuses. `count` receives
   * the usage of each request, `tell` what becomes of it.
   * @throws NoAnswer
   * @throws ExecutorError `model_rejected`; `config_invalid` for an unusable base URL or key; the
   * signal's reason once the run is cancelled
   */
  async send(
    request: ModelRequest,
    count: (usage: Usage) => void,
    tell?: Tell,
  ): Promise<HeardAnswer> {
    const { host, apiKey } = await this.#connection
    const refused = this.#refusedBy.get(request.model) ?? refusedFromTheStart(host)
    this.#refusedBy.set(request.model, refused)
    for (;;) {
      const body = buildBody(request, this.#options.settings.temperature, refused)
      const reader = new AnswerReader()
      const outcome = await this.#ask(request, body, reader, tell)
      const failure = typeof outcome === 'boolean' ? null : outcome
      count(this.#usageOf(request, body, reader, failure))
      if (failure === null) {
        const { text, isOnlyCalls, endsInCall, ending, why } = reader
        const runaway = outcome === true || reader.isRepeating
        const { prompt } = this.#speedOf(request.model)
        const promptSpeed = this.#isNear ? prompt : null
        return { text, isOnlyCalls, endsInCall, ending, why, runaway, promptSpeed }
      }
      const missing = withoutKey(failure.status, apiKey)
      const reason = `${host}: ${excerpt(redact(failure.reason, apiKey))}${missing}`
      if (failure.tooLarge === null && noteRefusal(body, failure, refused)) continue
      if (failure.isFiltered) return { ...nothing, why: `a filter refused the request: ${reason}` }
      if (failure.tooLarge !== null || failure.passing) throw new NoAnswer(reason, failure)
      throw new ExecutorError('model_rejected', reason, { cause: failure })
    }
  }

  #speedOf(model: string): Speed {
    return this.#speeds.get(model) ?? unknownSpeed
  }

  /** Sends one request; returns whether the answer was a runaway, or the failure. */
  async #ask(
    request: ModelRequest,
    body: ChatCompletionCreateParams,
    reader: AnswerReader,
    tell?: Tell,
  ): Promise<boolean | ModelFailure> {
    const { client } = await this.#connection
    const { signal } = this.#options
    const promptTokens = estimatePromptTokens(request.messages, body.tools)
    const limits = this.#limitsOf(request, body, promptTokens)
    const known = { speed: this.#speedOf(request.model), isNear: this.#isNear }
    const reading = estimateReading(promptTokens, known)
    if (reading !== null) tell?.({ kind: 'reading', tokens: promptTokens, ...reading })
    const deadline = startDeadline(limits, signal)
    const began = performance.now()
    try {
      const response = await client.chat.completions
        .create(body, {
          signal: deadline.signal,
          // The SDK's limit ends with the headers, ours with the answer.
          timeout: (limits.totalSeconds + 60) * 1000,
          headers: { 'x-executor-purpose': request.purpose },
        })
        .asResponse()
      const most = request.maxOutputTokens * longestToken
      const heard = await this.#listen(response, reader, most, deadline, tell)
      if (!heard.runaway) reader.end()
      if (reader.ending === 'miscalled' && body.tools) throw new UnusableAnswer(reader.why)
      const times = { began, ended: performance.now(), firstAt: heard.firstAt }
      this.#noteSpeed(request.model, promptTokens, reader, times)
      return heard.runaway
    } catch (error) {
      signal.throwIfAborted()
      const late = deadline.expired()
      if (late !== null) return passingFailure(late.why, late.isSilence && reader.isUntouched)
      const failure = readFailure(error)
      if (failure === null) throw error
      return failure
    } finally {
      deadline.stop()
    }
  }

  /** An answer in one piece has no first byte before its last one. */
  #limitsOf(request: ModelRequest, body: ChatCompletionCreateParams, promptTokens: number) {
    const { settings } = this.#options
    const { maxOutputTokens, model } = request
    const known = { speed: this.#speedOf(model), isNear: this.#isNear }
    const limits = limitTime({ promptTokens, maxOutputTokens }, known, settings)
    return body.stream === true || limits.isFirstFixed
      ? limits
      : { ...limits, firstSeconds: limits.totalSeconds }
  }

  #noteSpeed(
    model: string,
    estimated: number,
    { usage, written, reported }: AnswerReader,
    {
      began,
      ended,
      firstAt,
    }: { readonly began: number; readonly ended: number; readonly firstAt: number | null },
  ): void {
    const first = firstAt ?? ended
    const measured = measureSpeed({
      promptTokens: usage?.promptTokens ?? estimated,
      completionTokens: usage?.completionTokens ?? estimateTokens(written),
      secondsToFirst: (first - began) / 1000,
      secondsAfter: (ended - first) / 1000,
      reported,
    })
    this.#speeds.set(model, joinSpeeds(this.#speedOf(model), measured))
  }

  /** Feeds the body to the reader, and stops at a runaway answer. */
  async #listen(
    response: Response,
    reader: AnswerReader,
    most: number,
    deadline: Deadline,
    tell?: Tell,
  ): Promise<{ readonly runaway: boolean; readonly firstAt: number | null }> {
    deadline.heard()
    const decoder = new TextDecoder()
    let size = 0
    let judged = 0
    let firstAt: number | null = null
    for await (const bytes of response.body ?? []) {
      deadline.heard()
      reader.add(decoder.decode(bytes, { stream: true }))
      size += bytes.length
      if (size > largestBody) throw new UnusableAnswer('the answer does not end')
      if (firstAt === null && !reader.isUntouched) {
        firstAt = performance.now()
        deadline.begun()
      }
      tell?.({ kind: 'received', characters: reader.heard })
      if (reader.length > most) return { runaway: true, firstAt }
      if (reader.heard - judged < repetitionStep) continue
      judged = reader.heard
      if (reader.isRepeating) return { runaway: true, firstAt }
    }
    return { runaway: false, firstAt }
  }

  /** The reported usage, otherwise an estimate. A request without any answer costs nothing. */
  #usageOf(
    { model, messages }: ModelRequest,
    { tools }: ChatCompletionCreateParams,
    { written, usage }: AnswerReader,
    failure: ModelFailure | null,
  ): Usage {
    if (failure !== null && written === '' && usage === null) return { ...noUsage, requests: 1 }
    const tokens = usage ?? {
      promptTokens: estimatePromptTokens(messages, tools),
      completionTokens: estimateTokens(written),
    }
    const dollars = dollarsFor(tokens, priceOf(model, this.#options.settings.prices))
    return { requests: 1, ...tokens, dollars }
  }
}

/** OpenAI prefers `max_completion_tokens`, and its newer models refuse the older name. */
const refusedFromTheStart = (host: string): Refused => ({
  parameters: new Set(host === 'api.openai.com' ? ['max_tokens'] : []),
  mostOutput: Number.POSITIVE_INFINITY,
})

async function connect({ baseUrl, apiKey: given }: EndpointOptions) {
  const host = hostOf(baseUrl)
  const apiKey = checkKey(given)
  const { OpenAI } = await import('openai/client')
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey,
    // Only our layer retries.
    maxRetries: 0,
    fetch: patientFetch,
    logLevel: 'off',
  })
  return { client, host, apiKey }
}

function hostOf(baseUrl: string): string {
  const url = URL.parse(baseUrl)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ExecutorError('config_invalid', `the base URL ${baseUrl} is not an http(s) address`)
  }
  return url.host
}

/** The error about a key that cannot be a header would quote it. */
function checkKey(apiKey: string): string {
  const key = apiKey.trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new ExecutorError('config_invalid', 'the API key contains characters that no key can have')
}

/** Endpoints may quote the key. A key of a few characters is not a secret. */
const redact = (text: string, apiKey: string): string =>
  apiKey.length < 8 ? text : text.replaceAll(apiKey, '[key]')

/** Shortens a text to one line. */
const excerpt = (text: string): string => clip(oneLine(text), 301)

const near = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  near.addSubnet(network, bits)
}
near.addAddress('::1', 'ipv6')
near.addSubnet('fc00::', 7, 'ipv6')
near.addSubnet('fe80::', 10, 'ipv6')

/** True for a server on this machine or in its private network, by the address alone: no name is looked up. */
export function isNearby(baseUrl: string): boolean {
  const host = (URL.parse(baseUrl)?.hostname ?? '').replace(/^\[|\]$/g, '')
  const family = isIP(host)
  if (family !== 0) return near.check(host, family === 4 ? 'ipv4' : 'ipv6')
  // A name without a dot is one of the local network, such as that of a container.
  return /^[^.]+$|\.(?:localhost|local|lan|internal|home\.arpa)$/i.test(host)
}
