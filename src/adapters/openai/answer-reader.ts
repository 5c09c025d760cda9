import { jsonFields, parseExactly } from '../../../packages/text/text.ts'
import { endsInRepetition } from './find-repetition.ts'
import { ToolCalls } from './tool-calls.ts'

/** Status 200 without an answer: broken JSON, a web page, a truncated stream, an embedded error. */
export class UnusableAnswer extends Error {
  /** The HTTP status that the body names, if any. */
  readonly status: number | null

  constructor(message: string, status: number | null = null) {
    super(message)
    this.status = status
  }
}

/**
 * Reads a chat completion from a body of any content type: server-sent events, or one JSON object
 * from an endpoint that does not stream.
 */
export class AnswerReader {
  finish: 'stop' | 'length' = 'stop'
  /** `null` if the endpoint did not report it. */
  usage: { readonly promptTokens: number; readonly completionTokens: number } | null = null
  /** The endpoint's own figures about the answer, as it sent them. */
  reported: Readonly<Record<'timings' | 'usage', unknown>> = { timings: null, usage: null }
  /** True after the end marker, not just the end of the body. */
  #isEnded = false
  #said = ''
  /** The reasoning before the answer, if the endpoint shows it. */
  #thought = ''
  readonly #calls = new ToolCalls()
  #line = ''
  #events = 0
  readonly #other: string[] = []

  /** What the model wrote, and the tools that it called. */
  get text(): string {
    return this.#calls.appendTo(this.#said, this.finish === 'length')
  }

  /** About that of the text, without making it. */
  get length(): number {
    return this.#said.length + this.#calls.length
  }

  /** Characters of the reasoning, the text and the calls. */
  get heard(): number {
    return this.length + this.#thought.length
  }

  /** True before the first piece of a thought or an answer. */
  get isUntouched(): boolean {
    return this.heard === 0
  }

  /** True if the model repeats itself, in what it thinks, says or gives to a tool, and did not end by itself. */
  get isRepeating(): boolean {
    const isCut = this.finish === 'length'
    if (this.#isEnded && !isCut) return false
    const texts = [this.#thought, this.#said, this.#calls.last]
    return texts.some((text) => endsInRepetition(text, isCut))
  }

  /** What the model wrote, its reasoning included: the endpoint counts all of it. */
  get written(): string {
    return this.#thought + this.text
  }

  /** True if the model wrote nothing beside its calls of tools. */
  get isOnlyCalls(): boolean {
    return this.#said.trim() === '' && !this.#calls.isEmpty
  }

  /** True if the answer was cut within the arguments of a tool. */
  get endsInCall(): boolean {
    return this.finish === 'length' && this.#calls.endsEarly
  }

  /** Adds the next piece of the body, split anywhere. @throws UnusableAnswer */
  add(piece: string): void {
    const [first = '', ...rest] = piece.split(/\r\n|\n|\r/)
    this.#line += first
    for (const next of rest) {
      this.#addLine(this.#line)
      this.#line = next
    }
  }

  /** Call this when the body has ended. @throws UnusableAnswer */
  end(): void {
    this.#addLine(this.#line)
    if (this.#events === 0) this.#addWhole(this.#other.join('\n').trim())
    if (!this.#isEnded) throw new UnusableAnswer('the answer ended early')
  }

  #addLine(line: string): void {
    const field = /^(data|event|id|retry)?:/.exec(line)
    if (field === null) this.#other.push(line)
    if (field?.[1] !== 'data') return
    const data = line.slice(field[0].length).trim()
    if (data === '') return
    this.#events++
    if (data === '[DONE]') this.#isEnded = true
    else this.#addPayload(parse(data))
  }

  #addWhole(text: string): void {
    if (text === '') throw new UnusableAnswer('the answer has no content')
    if (text.startsWith('<')) {
      throw new UnusableAnswer('the answer is a web page, not JSON; a base URL usually ends in /v1')
    }
    const payload = parse(text)
    if (!Array.isArray(jsonFields(payload).choices) && errorIn(payload) === null) {
      throw new UnusableAnswer(`the answer is not a chat completion: ${text}`)
    }
    this.#addPayload(payload)
    this.#isEnded = true
  }

  /** Handles a stream event or a whole answer; they differ only in `delta` and `message`. */
  #addPayload(payload: unknown): void {
    const error = errorIn(payload)
    if (error !== null) throw error
    const { choices, usage, timings } = jsonFields(payload)
    this.reported = {
      timings: timings ?? this.reported.timings,
      usage: usage ?? this.reported.usage,
    }
    const choice = jsonFields(Array.isArray(choices) ? choices[0] : undefined)
    const said = jsonFields(choice.delta ?? choice.message)
    this.#said += textOf(said.content)
    this.#calls.add(said, choice.delta === undefined || choice.delta === null)
    // DeepSeek, vLLM and xAI use the first name, OpenRouter and Ollama the second.
    this.#thought += textOf(said.reasoning_content ?? said.reasoning)
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
      this.finish = ['length', 'max_tokens'].includes(choice.finish_reason) ? 'length' : 'stop'
      this.#isEnded = true
    }
    const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = jsonFields(usage)
    if (isCount(promptTokens) && isCount(completionTokens)) {
      this.usage = { promptTokens, completionTokens }
    }
  }
}

/** Some endpoints send content as a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => textOf(jsonFields(part).text)).join('')
}

function errorIn(payload: unknown): UnusableAnswer | null {
  const { error } = jsonFields(payload)
  if (error === undefined || error === null) return null
  const { message, code } = jsonFields(error)
  const status = Number.isInteger(code) ? Number(code) : null
  return new UnusableAnswer(String(message ?? JSON.stringify(error)), status)
}

function parse(json: string): unknown {
  const value = parseExactly(json)
  if (value === undefined) throw new UnusableAnswer(`the answer is not JSON: ${json}`)
  return value
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0
