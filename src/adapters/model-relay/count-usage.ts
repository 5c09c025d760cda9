import { estimateTokens, parseJson } from '../../../packages/text/text.ts'

export interface Tokens {
  readonly promptTokens: number
  readonly completionTokens: number
}

/** In characters; a line of a stream beyond this is not read. */
const longestLine = 8_000_000

/** Fields of an event that hold text of the answer. */
const written = new Set([
  ...['content', 'delta', 'text', 'arguments', 'partial_json', 'thinking', 'input'],
  ...['reasoning', 'reasoning_content', 'refusal', 'summary'],
])

/**
 * Reads an answer as it passes and counts its tokens: as the endpoint reports them, in a document or at the end of a
 * stream; otherwise by the length of the text.
 */
export class UsageCounter {
  readonly #isStream: boolean
  readonly #decoder = new TextDecoder()
  #rest = ''
  #characters = 0
  #prompt: number | null = null
  #completion: number | null = null

  constructor(contentType: string) {
    this.#isStream = contentType.includes('event-stream')
  }

  add(bytes: Uint8Array): void {
    this.#rest += this.#decoder.decode(bytes, { stream: true })
    if (!this.#isStream) return
    const lines = this.#rest.split('\n')
    this.#rest = (lines.pop() ?? '').slice(0, longestLine)
    for (const line of lines) this.#readLine(line)
  }

  /** @param estimate tokens of the prompt where the endpoint does not say; an answer that never began has none */
  end(estimate: number): Tokens {
    if (this.#isStream) this.#readLine(this.#rest)
    else this.#read(this.#rest)
    const isEmpty = this.#prompt === null && this.#characters === 0
    return {
      promptTokens: this.#prompt ?? (isEmpty ? 0 : estimate),
      completionTokens: this.#completion ?? estimateTokens(' '.repeat(this.#characters)),
    }
  }

  /**
   * Counts an answer that lacks its end, where a stream may not have told its length yet.
   * @param least what it counts as at least
   */
  cut(estimate: number, least: Tokens): Tokens {
    const came = this.end(estimate)
    const written = estimateTokens(' '.repeat(this.#characters))
    return {
      promptTokens: Math.max(came.promptTokens, least.promptTokens),
      completionTokens: Math.max(came.completionTokens, written, least.completionTokens),
    }
  }

  #readLine(line: string): void {
    if (line.startsWith('data:')) this.#read(line.slice('data:'.length))
  }

  #read(json: string): void {
    const value = parseJson(json)
    if (typeof value !== 'object' || value === null) return
    const holders: unknown[] = [
      value,
      Reflect.get(value, 'response'),
      Reflect.get(value, 'message'),
    ]
    for (const holder of holders) this.#note(Object(Reflect.get(Object(holder), 'usage')))
    // The last event of a stream repeats the whole answer.
    if (!this.#isStream || Reflect.get(value, 'response') === undefined) {
      this.#characters += textIn(value)
    }
  }

  /** Anthropic counts the cached part of a prompt separately. */
  #note(usage: Readonly<Record<string, unknown>>): void {
    const cached = ['cache_creation_input_tokens', 'cache_read_input_tokens']
      .map((name) => countIn(usage, name) ?? 0)
      .reduce((sum, count) => sum + count, 0)
    const input = countIn(usage, 'input_tokens')
    const prompt = countIn(usage, 'prompt_tokens') ?? (input === null ? null : input + cached)
    const completion = countIn(usage, 'completion_tokens') ?? countIn(usage, 'output_tokens')
    if (prompt !== null) this.#prompt = Math.max(prompt, this.#prompt ?? 0)
    if (completion !== null) this.#completion = Math.max(completion, this.#completion ?? 0)
  }
}

function countIn(usage: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = usage[name]
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}

function textIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce((sum, [name, inner]) => {
    if (typeof inner === 'string') return sum + (written.has(name) ? inner.length : 0)
    return sum + textIn(inner)
  }, 0)
}
