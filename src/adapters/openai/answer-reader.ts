import { jsonFields, oneLine, parseExactly } from '../../../packages/text/text.ts'
import {
  type AnswerEnd,
  type ErrorWords,
  findError,
  readEnd,
  readErrorText,
} from './answer-ends.ts'
import { endsInRepetition } from './find-repetition.ts'
import { ToolCalls } from './tool-calls.ts'

/** Status 200 without an answer: broken JSON, a web page, a truncated stream, an embedded error. */
export class UnusableAnswer extends Error {
  readonly said: ErrorWords

  constructor(said: string | ErrorWords) {
    const words = typeof said === 'string' ? { ...unnamed, message: said } : said
    super(words.message)
    this.said = words
  }
}

const unnamed = { status: null, code: undefined, param: undefined } as const

/**
 * Reads a chat completion from a body of any content type: server-sent events, or one JSON object
 * from an endpoint that does not stream.
 */
export class AnswerReader {
  ending: AnswerEnd = 'whole'
  /** The endpoint's own word for what ended the answer; empty without one. */
  #reason = ''
  /** `null` if the endpoint did not report it. */
  usage: { readonly promptTokens: number; readonly completionTokens: number } | null = null
  /** The endpoint's own figures about the answer, as it sent them. */
  reported: Readonly<Record<'timings' | 'usage', unknown>> = { timings: null, usage: null }
  /** True after the end marker, not just the end of the body. */
  #isEnded = false
  #said = ''
  /** The words by which the model declines to answer, where they are apart from the text. */
  #refusal = ''
  /** The reasoning before the answer, if the endpoint shows it. */
  #thought = ''
  readonly #calls = new ToolCalls()
  #line = ''
  #events = 0
  /** The name of the event whose data comes. */
  #event = ''
  readonly #other: string[] = []

  /**
   * Why an answer is empty or stopped, for a person and for the model, as the end of a sentence; empty for any other.
   */
  get why(): string {
    if (this.#refusal !== '') return `the model refused: ${oneLine(this.#refusal)}`
    if (['stopped', 'miscalled'].includes(this.ending))
      return `the endpoint ended it (${this.#reason})`
    if (this.text.trim() !== '') return ''
    const isThought = this.#thought.trim() !== ''
    const what = isThought ? 'the model wrote only its reasoning' : 'it ended at once'
    const isUsual = ['', 'stop'].includes(this.#reason)
    return isThought || !isUsual ? `${what}${isUsual ? '' : ` (${this.#reason})`}` : ''
  }

  /** What the model wrote, and the tools that it called. */
  get text(): string {
    return this.#calls.appendTo(this.#said, this.ending !== 'whole')
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
    const isCut = this.ending !== 'whole'
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
    return this.ending !== 'whole' && this.#calls.endsEarly
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
    const rest = this.#other.join('\n').trim()
    if (this.#events === 0) this.#addWhole(rest)
    // Ollama breaks a stream off with a line of JSON.
    const error = this.#reason === '' ? findError(parseExactly(rest)) : null
    if (error !== null) throw new UnusableAnswer(error)
    if (this.ending === 'broken') throw new UnusableAnswer(`the answer ended with ${this.#reason}`)
    if (!this.#isEnded) throw new UnusableAnswer('the answer ended early')
  }

  #addLine(line: string): void {
    const [start = '', name = ''] = /^(data|event|id|retry|error)?:/.exec(line) ?? []
    const data = line.slice(start.length).trim()
    if (start === '') this.#other.push(line)
    if (name === 'event' || line === '') this.#event = data
    // The event is usual; llama.cpp had a field of that name.
    const isError = name === 'error' || (name === 'data' && this.#event === 'error')
    if (isError && data !== '') throw new UnusableAnswer(readErrorText(data))
    if (name !== 'data' || data === '') return
    this.#events++
    if (data === '[DONE]') this.#isEnded = true
    else this.#addPayload(parse(data))
  }

  #addWhole(text: string): void {
    if (text === '') throw new UnusableAnswer('the answer has no content')
    if (text.startsWith('<')) {
      const { message } = readErrorText(text)
      const what = 'the answer is a web page, not JSON; a base URL usually ends in /v1'
      throw new UnusableAnswer(message === text ? what : `${what}: ${message}`)
    }
    const payload = parse(text)
    if (!Array.isArray(jsonFields(payload).choices) && findError(payload) === null) {
      throw new UnusableAnswer(`the answer is not a chat completion: ${text}`)
    }
    this.#addPayload(payload)
    this.#isEnded = true
  }

  /** Handles a stream event or a whole answer; they differ only in `delta` and `message`. */
  #addPayload(payload: unknown): void {
    const error = findError(payload)
    if (error !== null) throw new UnusableAnswer(error)
    const { choices, usage, timings } = jsonFields(payload)
    this.reported = {
      timings: timings ?? this.reported.timings,
      usage: usage ?? this.reported.usage,
    }
    const choice = jsonFields(Array.isArray(choices) ? choices[0] : undefined)
    const said = jsonFields(choice.delta ?? choice.message)
    const failed = findError({ error: choice.error })
    const { finish_reason: reason } = choice
    const isWhole = typeof reason === 'string' && readEnd(reason) !== 'broken'
    if (failed !== null && !isWhole) throw new UnusableAnswer(failed)
    this.#said += textOf(said.content)
    this.#refusal += textOf(said.refusal)
    this.#calls.add(said, choice.delta === undefined || choice.delta === null)
    // DeepSeek, vLLM and xAI use the first name, OpenRouter and Ollama the second; Mistral sends a part of the content.
    this.#thought += textOf(said.reasoning_content ?? said.reasoning ?? thoughtsIn(said.content))
    if (typeof reason === 'string' && reason !== '') {
      this.#reason = reason
      const end = readEnd(reason)
      this.ending = this.#refusal !== '' && end === 'whole' ? 'stopped' : end
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

const thoughtsIn = (content: unknown): unknown =>
  Array.isArray(content) ? content.flatMap((part) => jsonFields(part).thinking ?? []) : undefined

function parse(json: string): unknown {
  const value = parseExactly(json)
  if (value === undefined) throw new UnusableAnswer(`the answer is not JSON: ${json}`)
  return value
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0
