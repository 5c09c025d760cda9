import type { APIError } from 'openai/error'
import { noKey } from '../../core/ports/model.ts'
import { type ErrorWords, readErrorWords } from './answer-ends.ts'
import { UnusableAnswer } from './answer-reader.ts'

/** Why a request got no answer. */
export interface ModelFailure {
  /** True if the same request may succeed later. */
  readonly passing: boolean
  /** The HTTP status, or the one that the body names; `null` without an answer. */
  readonly status: number | null
  /** Unshortened: "answered 429: …", "no data for …". */
  readonly reason: string
  /** The parameter that the error names. */
  readonly param: unknown
  /** The raw `Retry-After` header. */
  readonly retryAfter: string | null
  /** The exceeded size; `null` if the request failed for another reason. */
  readonly tooLarge: TooLarge | null
  /** True if no data came before the timeout. */
  readonly isSilence: boolean
  /** True if a filter refused the prompt: other words may pass. */
  readonly isFiltered: boolean
}

export const passingFailure = (reason: string, isSilence = false): ModelFailure => ({
  passing: true,
  status: null,
  reason,
  param: null,
  retryAfter: null,
  tooLarge: null,
  isSilence,
  isFiltered: false,
})

/** Interprets an error of the SDK, of `fetch` or of the answer's body; `null` for a bug. */
export function readFailure(error: unknown): ModelFailure | null {
  if (error instanceof UnusableAnswer) {
    const { said } = error
    return { ...failureSaying(said), reason: said.message }
  }
  if (isStatusError(error)) {
    const { status, error: body } = error
    const message = error.message.replace(/^\d+ /, '')
    // A body that is not JSON is the message.
    const said = { ...readErrorWords(body ?? message), status }
    const retryAfter = error.headers?.get('retry-after') ?? null
    return { ...failureSaying(said), reason: `answered ${status}: ${said.message}`, retryAfter }
  }
  const code = networkCode(error)
  if (code !== null) return passingFailure(`the connection failed (${code})`)
  return isSdkError(error) ? passingFailure(`the connection failed (${error.message})`) : null
}

function failureSaying(said: ErrorWords): ModelFailure {
  const { message, status, code, param } = said
  return {
    ...passingFailure(message),
    passing: status === null || isPassing(status, code),
    ...{ status, param },
    tooLarge: readTooLarge(said),
    isFiltered: filters.test(`${code}`) || filters.test(message.slice(0, longestRead)),
  }
}

/** Words of OpenAI, Azure, Alibaba and OpenRouter for a prompt that a filter refused. */
const filters =
  /\bcontent_filter\b|content_policy_violation|content management policy|data_?inspection_?failed|input was flagged/i

/** What a refusal means where no key is set. */
export const withoutKey = (status: number | null, apiKey: string): string =>
  apiKey === noKey && (status === 401 || status === 403) ? ' (OPENAI_API_KEY is not set)' : ''

/** An exhausted quota comes as 429, but waiting does not help. */
const isPassing = (status: number, code: unknown): boolean =>
  (status >= 500 || [408, 409, 425, 429].includes(status)) && code !== 'insufficient_quota'

/** Recognised by its shape, which avoids loading the SDK. Without a status, no answer came. */
const isSdkError = (error: unknown): error is APIError =>
  error instanceof Error && 'status' in error && 'requestID' in error

const isStatusError = (error: unknown): error is APIError & { readonly status: number } =>
  isSdkError(error) && typeof error.status === 'number'

/** The innermost code of an error from `fetch` or a body: `ECONNREFUSED`, `UND_ERR_SOCKET`, … */
function networkCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const inner = networkCode(error.cause)
  if (inner !== null) return inner
  return 'code' in error && typeof error.code === 'string' ? error.code : null
}

/**
 * A request that is too long for the model. Endpoints say so in their own words, with status 400,
 * 413, 422, 429 or 500, or within a stream that began well; the words below are from OpenAI, Azure,
 * GitHub Models, OpenRouter, Anthropic, Gemini, Mistral, xAI, Groq, Cohere, Bedrock, vLLM, SGLang,
 * TGI, llama.cpp, llama-cpp-python and LM Studio. Ollama truncates the request silently.
 */
export interface TooLarge {
  /** Maximum tokens of a request and its answer; `null` if unknown. */
  readonly window: number | null
  /** Tokens of the request alone, as the endpoint counted them. */
  readonly promptTokens: number | null
}

const codes = new Set([
  'context_length_exceeded',
  'context_window_exceeded',
  'exceed_context_size_error',
  'model_max_prompt_tokens_exceeded',
  'request_too_large',
  'string_above_max_length',
  'tokens_limit_reached',
])

const words =
  /maximum (?:context|prompt) length|context[_ ](?:length|window|size)[_ ]exceeded|exceeds? (?:the |this |your )?(?:model'?s? )?(?:available |maximum )?context (?:size|window|length)|\b(?:prompt|input) is too long|(?:request|body) too large for|too large for model with|input token count\b.{0,40}\bexceeds|reduce the length of (?:the |your )?(?:messages?|prompt|input)|longer than the model's context length|too many tokens: total|`inputs` tokens \+|context the overflows|loaded with context length|input or output tokens must be reduced|input tokens exceed the configured limit/i

/** The only group is the window; the first match counts. */
const windows: readonly RegExp[] = [
  /maximum (?:context|prompt) length (?:is|of) ([\d,]+)/i,
  /model with ([\d,]+) maximum context length/i,
  /context (?:length|size|window) (?:of (?:only )?|\()([\d,]+)/i,
  /> ([\d,]+) maximum/,
  /maximum number of tokens allowed \(([\d,]+)\)/i,
  /max size: ([\d,]+) tokens/i,
  /must be <= ([\d,]+)/,
  /\blimit:? ([\d,]+), requested/i,
  /cannot exceed ([\d,]+)/i,
]

const prompts: readonly RegExp[] = [
  /([\d,]+) (?:of text input|in the messages|in your prompt)/i,
  /([\d,]+) tokens from the input messages/i,
  /your request has ([\d,]+) input tokens/i,
  /messages resulted in (?:over )?([\d,]+) tokens/i,
  /request \(([\d,]+) tokens\)/i,
  /too long: ([\d,]+) tokens/i,
  /token count \(([\d,]+)\)/i,
  /the input \(([\d,]+) tokens\)/i,
  /given: ([\d,]+) `inputs`/i,
  /prompt contains ([\d,]+) tokens/i,
]

/** In characters of an error. */
export const longestRead = 2000

const statuses: ReadonlySet<number | null> = new Set([400, 413, 422, 429, 500, null])

/** Reads the model's limits from a failure; `null` if it is about something else. */
export function readTooLarge(failure: {
  readonly status: number | null
  readonly code: unknown
  readonly message: string
}): TooLarge | null {
  const { status, code } = failure
  if (!statuses.has(status)) return null
  const message = failure.message.slice(0, longestRead)
  const isNamed = typeof code === 'string' && codes.has(code)
  if (!isNamed && status !== 413 && !words.test(message)) return null
  return { window: numberIn(message, windows), promptTokens: numberIn(message, prompts) }
}

/** The number that the first fitting pattern finds. */
export function numberIn(message: string, patterns: readonly RegExp[]): number | null {
  for (const pattern of patterns) {
    const found = pattern.exec(message)?.[1]
    if (found !== undefined) return Number(found.replaceAll(',', ''))
  }
  return null
}
