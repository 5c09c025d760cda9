import { isFields, jsonFields, parseExactly } from '../../../packages/text/text.ts'

/**
 * Tools that a model calls in the endpoint's own form. Servers differ: calls come whole or in
 * pieces, with or without a position and a name of their own, with arguments as JSON or as an
 * object, and in the old form of one `function_call`.
 */

interface Call {
  readonly position: unknown
  readonly id: string
  name: string
  /** JSON, if the model wrote it right and the answer is complete. */
  given: string
}

/** The position of the only call that the old form knows. */
const old = 'function_call'

/** In characters; what a call costs in the text, however little it says. */
const frame = '\n\n```json\n{"tool": "", "arguments": {}}\n```'.length

export class ToolCalls {
  /** In characters; about that of the calls in the text. */
  length = 0
  readonly #calls: Call[] = []

  /** Adds the calls of a message, or of the next piece of one. */
  add(message: Readonly<Record<string, unknown>>, isWhole: boolean): void {
    const { tool_calls: calls, function_call: single } = message
    const entries: readonly unknown[] = Array.isArray(calls) ? calls : []
    for (const [at, entry] of entries.entries()) {
      const { index, id, function: called } = jsonFields(entry)
      this.#add(isWhole ? `${at}` : index, textOrNone(id), jsonFields(called))
    }
    if (isFields(single)) this.#add(old, '', single)
  }

  #add(position: unknown, id: string, called: Readonly<Record<string, unknown>>): void {
    const name = textOrNone(called.name)
    const given = textOfArguments(called.arguments)
    const known = this.#continued(position, id, name, given)
    const call = known ?? { position, id, name: '', given: '' }
    if (known === null) {
      this.#calls.push(call)
      this.length += frame
    }
    // Some servers repeat the whole name with each piece.
    const more = name === call.name ? '' : name
    call.name += more
    call.given += given
    this.length += more.length + given.length
  }

  /** The call that this piece continues; `null` for a new one. */
  #continued(position: unknown, id: string, name: string, given: string): Call | null {
    const isPlaced = position !== undefined && position !== null
    const before = isPlaced
      ? this.#calls.findLast((call) => call.position === position)
      : this.#calls.at(-1)
    if (before === undefined || name === '') return before ?? null
    // Some servers give all calls the same position, others each piece another id.
    const isOther = id !== '' && before.id !== '' && id !== before.id
    const isNext = given.trim() !== '' && isComplete(before.given)
    const isSame = isPlaced || before.name === '' || before.name === name
    return isSame && !isOther && !isNext ? before : null
  }

  /** Without empty ones, and without the old form of calls that the new one has as well. */
  get #real(): readonly Call[] {
    const said = this.#calls.filter(({ name, given }) => name !== '' || given !== '')
    const modern = said.filter(({ position }) => position !== old)
    return modern.length > 0 ? modern : said
  }

  get isEmpty(): boolean {
    return this.#real.length === 0
  }

  /** The arguments so far of the last call. */
  get last(): string {
    return this.#calls.at(-1)?.given ?? ''
  }

  /** True if the last call's arguments end in the middle. */
  get endsEarly(): boolean {
    const last = this.#real.at(-1)
    return last !== undefined && !isComplete(last.given)
  }

  /** The text with a fence for each call behind it; a cut answer ends within the last fence. */
  appendTo(said: string, isCut: boolean): string {
    const calls = this.#real
    const fences = calls.map((call, index) =>
      isCut && index === calls.length - 1 && this.endsEarly ? openFence(call) : fence(call),
    )
    return (said.trim() === '' && fences.length > 0 ? fences : [said, ...fences]).join('\n\n')
  }
}

const fence = ({ name, given }: Call): string =>
  `\`\`\`json\n${withoutFences(`${startOf(name)}${readArguments(given)}}`)}\n\`\`\``

/** The model continues it as text. */
const openFence = ({ name, given }: Call): string =>
  `\`\`\`json\n${withoutFences(`${startOf(name)}${given}`)}`

const startOf = (name: string): string => `{"tool": ${JSON.stringify(name)}, "arguments": `

/** The same JSON: in it, such characters are in texts only. */
const withoutFences = (json: string): string => json.replaceAll('```', '\\u0060\\u0060\\u0060')

/** The arguments as JSON on one line; a string of their text if they are none. */
function readArguments(given: string): string {
  if (given.trim() === '') return '{}'
  const value = parseExactly(given)
  if (value === undefined) return JSON.stringify(given)
  // Some servers encode them twice.
  const inner = typeof value === 'string' ? parseExactly(value) : undefined
  return JSON.stringify(isFields(inner) ? inner : (value ?? {}))
}

const isComplete = (given: string): boolean =>
  given.trimEnd().endsWith('}') && parseExactly(given) !== undefined

function textOfArguments(given: unknown): string {
  if (typeof given === 'string') return given
  if (given === undefined || given === null) return ''
  try {
    return JSON.stringify(given)
  } catch {
    return 'arguments that are nested too deeply'
  }
}

const textOrNone = (value: unknown): string => (typeof value === 'string' ? value : '')
