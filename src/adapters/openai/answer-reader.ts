/** What an endpoint has said so far. */
export interface HeardAnswer {
  readonly text: string
  readonly finish: 'stop' | 'length'
  /** `null` when the endpoint did not count. */
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number } | null
}

/** Status 200, but no answer: broken JSON, a web page, a stream that ends early, an error inside. */
export class UnusableAnswer extends Error {
  /** The HTTP status the endpoint meant, when its answer names one. */
  readonly status: number | null

  constructor(message: string, status: number | null = null) {
    super(message)
    this.status = status
  }
}

export interface AnswerReader {
  /** Takes the next piece of the body, cut anywhere. @throws UnusableAnswer */
  add(piece: string): void
  /** To be called when the body has ended. @throws UnusableAnswer */
  end(): void
  heard(): HeardAnswer
}

/**
 * Reads a chat completion from a body, whatever the content type says: server-sent events, or one
 * JSON object from an endpoint that does not stream.
 */
export function createAnswerReader(): AnswerReader {
  const said: Said = { text: '', finish: 'stop', usage: null, ended: false }
  let line = ''
  let events = 0
  const other: string[] = []

  const addLine = (whole: string) => {
    const field = /^(data|event|id|retry)?:/.exec(whole)
    if (field === null) other.push(whole)
    if (field?.[1] !== 'data') return
    const data = whole.slice(field[0].length).trim()
    if (data === '') return
    events++
    if (data === '[DONE]') said.ended = true
    else addPayload(said, parse(data))
  }
  return {
    add(piece) {
      const [first = '', ...rest] = piece.split(/\r\n|\n|\r/)
      line += first
      for (const next of rest) {
        addLine(line)
        line = next
      }
    },
    end() {
      addLine(line)
      line = ''
      if (events === 0) readWhole(said, other.join('\n'))
      if (!said.ended) throw new UnusableAnswer('the answer broke off')
    },
    heard: () => ({ text: said.text, finish: said.finish, usage: said.usage }),
  }
}

interface Said {
  text: string
  finish: HeardAnswer['finish']
  usage: HeardAnswer['usage']
  /** Its end was heard, not just the end of the body. */
  ended: boolean
}

function readWhole(said: Said, body: string): void {
  const text = body.trim()
  if (text === '') throw new UnusableAnswer('the answer has no content')
  if (text.startsWith('<')) {
    throw new UnusableAnswer('the answer is a web page, not JSON; a base URL usually ends in /v1')
  }
  const payload = parse(text)
  if (!Array.isArray(recordOf(payload).choices) && errorIn(payload) === null) {
    throw new UnusableAnswer(`the answer is not a chat completion: ${text}`)
  }
  addPayload(said, payload)
  said.ended = true
}

/** One event of a stream, or the whole answer: they differ in `delta` and `message` only. */
function addPayload(said: Said, payload: unknown): void {
  const error = errorIn(payload)
  if (error !== null) throw error
  const { choices, usage } = recordOf(payload)
  const choice = recordOf(Array.isArray(choices) ? choices[0] : undefined)
  said.text += textOf(recordOf(choice.delta ?? choice.message).content)
  if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
    said.finish = ['length', 'max_tokens'].includes(choice.finish_reason) ? 'length' : 'stop'
    said.ended = true
  }
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = recordOf(usage)
  if (isCount(promptTokens) && isCount(completionTokens)) {
    said.usage = { promptTokens, completionTokens }
  }
}

/** Some endpoints send content as a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => textOf(recordOf(part).text)).join('')
}

function errorIn(payload: unknown): UnusableAnswer | null {
  const { error } = recordOf(payload)
  if (error === undefined || error === null) return null
  const { message, code } = recordOf(error)
  const status = Number.isInteger(code) ? Number(code) : null
  return new UnusableAnswer(String(message ?? JSON.stringify(error)), status)
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new UnusableAnswer(`the answer is not JSON: ${json}`)
  }
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
