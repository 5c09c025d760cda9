import { jsonFields, oneLine, parseExactly } from '../../../packages/text/text.ts'

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
