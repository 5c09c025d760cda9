import { jsonFields, oneLine, parseExactly } from '../../../packages/text/text.ts'

/** What can end an answer, and what follows. */

/**
 * - `whole`: all of the answer came;
 * - `cut`: the model may continue it;
 * - `stopped`: the endpoint ended it, and would end a continuation too: the text is a part, and a person learns why;
 * - `broken`: the endpoint failed, so the same request may succeed;
 * - `miscalled`: the model called a tool in a broken form, so the request is repeated without native tools.
 */
export type AnswerEnd = 'whole' | 'cut' | 'stopped' | 'broken' | 'miscalled'

/** Values of `finish_reason` in lower case; any other is `whole`. */
const reasons: Readonly<Record<Exclude<AnswerEnd, 'whole'>, readonly string[]>> = {
  cut: [
    ...['length', 'max_tokens', 'max_output_tokens', 'max_completion_tokens'],
    // Mistral, Z.ai, Cohere; Anthropic behind a layer.
    ...['model_length', 'model_context_window_exceeded', 'error_limit', 'pause_turn'],
  ],
  stopped: [
    ...['content_filter', 'content_filtered', 'refusal', 'safety', 'recitation', 'blocklist'],
    // Gemini, Z.ai, Cohere, Bedrock.
    ...['prohibited_content', 'spii', 'language', 'other', 'image_safety', 'sensitive'],
    ...['error_toxic', 'guardrail_intervened'],
  ],
  broken: [
    // OpenRouter, Z.ai, DeepSeek, vLLM, SGLang.
    ...['error', 'network_error', 'insufficient_system_resource', 'abort', 'aborted'],
    ...['cancelled', 'failed'],
  ],
  miscalled: ['malformed_function_call', 'unexpected_tool_call', 'too_many_tool_calls'],
}

const ends = new Map(
  Object.entries(reasons).flatMap(([end, names]) =>
    names.map((name) => [name, end as AnswerEnd] as const),
  ),
)

/** Layers write the words of others in their own way: `MAX_TOKENS`, `FinishReason.SAFETY`, `content_filter: SAFETY`. */
export function readEnd(reason: string): AnswerEnd {
  const words =
    reason
      .replaceAll(/([a-z])(?=[A-Z])/g, '$1_')
      .toLowerCase()
      .match(/\w+/g) ?? []
  const known = words.map((word) => ends.get(word.replace(/^finish_reason_/, '')))
  return known.find((end) => end !== undefined) ?? 'whole'
}

/** What an endpoint says about an error, wherever it says it: in a body, in a stream, in a choice. */
export interface ErrorWords {
  /** Unshortened. */
  readonly message: string
  /** The HTTP status that it names, if any. */
  readonly status: number | null
  readonly code: unknown
  /** The parameter that it names. */
  readonly param: unknown
}

/** In characters, of a web page; an error says what it has to say at its start. */
const longestPage = 20_000

/**
 * Reads an error in the forms of OpenAI, Ollama (a text), Gemini (a list), vLLM (`object: "error"`), FastAPI (`detail`),
 * OpenRouter (the words of the provider in `metadata.raw`) and proxies (a web page).
 */
export function readErrorWords(said: unknown): ErrorWords {
  const given: unknown = Array.isArray(said) ? said[0] : said
  const error = jsonFields(given).error ?? given
  const { message = error, code, param, status, metadata } = jsonFields(error)
  const named = [code, status].map(Number).find((each) => each >= 100 && each < 600)
  const own =
    typeof message === 'string' ? readPage(message) : `${JSON.stringify(message ?? error)}`
  const inner = wordsWithin(jsonFields(metadata).raw)
  return {
    message: inner === '' || own.includes(inner) ? own : `${own}: ${inner}`,
    status: named ?? null,
    ...{ code, param },
  }
}

/** The error that an answer, a piece of one or a choice has in it; `null` if none. */
export function findError(payload: unknown): ErrorWords | null {
  const given: unknown = Array.isArray(payload) ? payload[0] : payload
  const { error, object, type } = jsonFields(given)
  const isError = object === 'error' || type === 'error'
  return isError || (error !== undefined && error !== null) ? readErrorWords(given) : null
}

/** An error as text: JSON, or the words themselves. */
export function readErrorText(text: string): ErrorWords {
  return readErrorWords(parseExactly(text) ?? text)
}

/** What the provider behind a router says: a text, or an error as JSON. */
function wordsWithin(raw: unknown): string {
  const given = typeof raw === 'string' ? (parseExactly(raw) ?? raw) : raw
  const { error = given } = jsonFields(given)
  const { message = error } = jsonFields(error)
  return typeof message === 'string' ? message : ''
}

/** The text of a web page; any other text as it is. */
function readPage(text: string): string {
  if (!/^\s*<(?:!doctype|html|head|body)\b/i.test(text)) return text
  const page = text.slice(0, longestPage).replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ')
  const words = oneLine(page.replaceAll(/<[^<>]*>/g, ' ')).trim()
  return words === '' ? text : words
}
