import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { addUsage, noUsage, type Usage } from '../../core/domain/usage.ts'
import type { ModelRequest } from '../../core/ports/model.ts'
import { dollarsFor, priceOf } from '../../core/prices.ts'
import { estimatePromptTokens, estimateTokens } from '../../text/words/estimate-tokens.ts'
import {
  type AnswerReader,
  createAnswerReader,
  type HeardAnswer,
  UnusableAnswer,
} from './answer-reader.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { type ModelFailure, passingFailure, readFailure } from './read-failure.ts'
import { buildBody, type OptionalParameter, refusedParameters } from './request-body.ts'
import type { TooLarge } from './too-large.ts'

export interface EndpointOptions {
  /** The API's root, usually ending in `/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly settings: Settings['model']
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal
  /** Told of every piece: the characters of this answer heard so far. */
  readonly onProgress?: (event: { readonly characters: number }) => void
}

/** How one question to the endpoint ended. */
export type Exchange = (
  | {
      readonly status: 'answered'
      readonly text: string
      readonly finish: 'stop' | 'length'
      /** Much longer than it may be, and not heard to its end. */
      readonly runaway: boolean
    }
  | {
      readonly status: 'failed'
      readonly reason: string
      /** The `Retry-After` header as it came. */
      readonly retryAfter: string | null
    }
  | ({ readonly status: 'too_large'; readonly reason: string } & TooLarge)
) & { readonly usage: Usage }

export interface Endpoint {
  /**
   * Asks once, and again only without the parameters that the endpoint refuses.
   * @throws ExecutorError `model_rejected`; `config_invalid` when the base URL or the key cannot be
   * one; the signal's reason once the run is cancelled.
   */
  send(request: ModelRequest): Promise<Exchange>
}

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { settings } = options
  // Loading takes 40 ms bundled, 150 from node_modules: begun now, while git is still at work.
  const connection = connect(options)
  connection.catch(() => {})
  const refusedBy = new Map<string, Set<OptionalParameter>>()

  return {
    async send(request) {
      const { client, host, apiKey } = await connection
      const refused = refusedBy.get(request.model) ?? refusedFromTheStart(host)
      refusedBy.set(request.model, refused)
      let usage = noUsage
      for (;;) {
        const body = buildBody(request, settings.temperature, refused)
        const { answer, runaway, failure } = await ask(client, request, body, options)
        usage = addUsage(usage, countUsage(request, answer, failure, settings))
        if (failure === null) return { status: 'answered', ...answer, runaway, usage }

        const reason = `${host}: ${excerpt(redact(failure.reason, apiKey))}`
        if (failure.tooLarge !== null) {
          return { status: 'too_large', reason, ...failure.tooLarge, usage }
        }
        if (failure.passing) {
          return { status: 'failed', reason, retryAfter: failure.retryAfter, usage }
        }
        const more = [400, 422].includes(failure.status ?? 0)
          ? refusedParameters(body, failure)
          : []
        if (more.length === 0) throw new ExecutorError('model_rejected', reason)
        for (const parameter of more) refused.add(parameter)
      }
    },
  }
}

/** OpenAI itself prefers `max_completion_tokens`, and its newer models refuse the older name. */
const refusedFromTheStart = (host: string): Set<OptionalParameter> =>
  new Set(host === 'api.openai.com' ? ['max_tokens'] : [])

async function connect({ baseUrl, apiKey: given, settings }: EndpointOptions) {
  const host = hostOf(baseUrl)
  const apiKey = checkKey(given)
  const { OpenAI } = await import('openai/client')
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey,
    // One layer retries, ours; and its time-out ends with the headers, ours with the answer.
    maxRetries: 0,
    timeout: (settings.timeoutSeconds + 60) * 1000,
    logLevel: 'off',
  })
  return { client, host, apiKey }
}

type Client = Awaited<ReturnType<typeof connect>>['client']

interface Asked {
  readonly answer: HeardAnswer
  readonly runaway: boolean
  /** `null`: the answer is whole. */
  readonly failure: ModelFailure | null
}

/** One request, heard to its end. */
async function ask(
  client: Client,
  request: ModelRequest,
  body: ChatCompletionCreateParams,
  options: EndpointOptions,
): Promise<Asked> {
  const reader = createAnswerReader()
  const deadline = startDeadline(options.settings, options.signal)
  try {
    const response = await client.chat.completions
      .create(body, {
        signal: deadline.signal,
        headers: { 'x-executor-purpose': request.purpose },
      })
      .asResponse()
    const runaway = await listen(response, reader, request, deadline, options)
    if (runaway) return { answer: { ...reader.heard(), finish: 'length' }, runaway, failure: null }
    reader.end()
    return { answer: reader.heard(), runaway, failure: null }
  } catch (error) {
    options.signal.throwIfAborted()
    const late = deadline.expired()
    const failure = late === null ? readFailure(error) : passingFailure(late)
    if (failure === null) throw error
    return { answer: reader.heard(), runaway: false, failure }
  } finally {
    deadline.stop()
  }
}

/** Characters; an answer with more to a token, on average, does not end by itself. */
const longestToken = 8

/** Characters of a body; a guard for the memory against one that brings no text. */
const largestBody = 64_000_000

/** Feeds the body to the reader; true when the text became endless and the rest was left. */
async function listen(
  response: Response,
  reader: AnswerReader,
  request: ModelRequest,
  deadline: Deadline,
  { onProgress }: EndpointOptions,
): Promise<boolean> {
  deadline.heard()
  const decoder = new TextDecoder()
  let size = 0
  for await (const bytes of response.body ?? []) {
    deadline.heard()
    reader.add(decoder.decode(bytes, { stream: true }))
    size += bytes.length
    if (size > largestBody) throw new UnusableAnswer('the answer does not end')
    const characters = reader.heard().text.length
    onProgress?.({ characters })
    if (characters > request.maxOutputTokens * longestToken) return true
  }
  return false
}

/** As the endpoint counted; estimated where it did not. A request that brought nothing cost nothing. */
function countUsage(
  { model, messages }: ModelRequest,
  answer: HeardAnswer,
  failure: ModelFailure | null,
  settings: Settings['model'],
): Usage {
  if (failure !== null && answer.text === '' && answer.usage === null) {
    return { ...noUsage, requests: 1 }
  }
  const tokens = answer.usage ?? {
    promptTokens: estimatePromptTokens(messages),
    completionTokens: estimateTokens(answer.text),
  }
  const dollars = dollarsFor(tokens, priceOf(model, settings.prices))
  return { requests: 1, ...tokens, dollars }
}

function hostOf(baseUrl: string): string {
  const url = URL.parse(baseUrl)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ExecutorError('config_invalid', `the base URL ${baseUrl} is not an http(s) address`)
  }
  return url.host
}

/** A key that cannot be a header would be quoted by the error about it. */
function checkKey(apiKey: string): string {
  const key = apiKey.trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new ExecutorError('config_invalid', 'the API key has characters that no key has')
}

/** Endpoints may quote the key they were sent. A key of a few characters is no secret. */
const redact = (text: string, apiKey: string): string =>
  apiKey.length < 8 ? text : text.replaceAll(apiKey, '[key]')

/** Enough of a text to recognise it, on one line. */
function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}
