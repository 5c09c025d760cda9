import type { OfferedTool, RecordedMessage, RecordedModelRequest } from './model-script.ts'

/** The parsed request, or its problem in the API's words. */
export type ModelRequestReading =
  | ({ readonly status: 'valid' } & Omit<RecordedModelRequest, 'purpose' | 'at' | 'promptTokens'>)
  | { readonly status: 'invalid'; readonly message: string; readonly param: string | null }

export interface ParameterRule {
  readonly param: string
  readonly message: string
  readonly holds: (value: unknown, body: Readonly<Record<string, unknown>>) => boolean
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const absent = (value: unknown): boolean => value === undefined || value === null

export const isCount = (value: unknown): boolean =>
  absent(value) || (Number.isInteger(value) && Number(value) >= 1)

export const isFlag = (value: unknown): boolean => absent(value) || typeof value === 'boolean'

export const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** A list of objects, or nothing. */
export const isToolList = (value: unknown): boolean =>
  absent(value) || (Array.isArray(value) && value.every(isRecord))

type Body = Readonly<Record<string, unknown>>

/** How the requests of one API are read. */
export interface RequestFormat {
  readonly rules: readonly ParameterRule[]
  /** The parameter that holds the conversation: a list, or text where the rules let it be. */
  readonly conversation: 'messages' | 'input'
  /** The messages of one entry of it; `null` for one that cannot be read. */
  readonly readEntry: (entry: unknown) => readonly RecordedMessage[] | null
  /** Says that an entry cannot be read, `messages[2]` for example. */
  readonly describeUnreadable: (place: string) => string
  /** What a parameter of its own tells the model before the conversation; `null` where nothing does. */
  readonly readInstructions: (body: Body) => string | null
  readonly readOptions: (
    body: Body,
  ) => Pick<RecordedModelRequest, 'includeUsage' | 'maxTokens' | 'json'>
}

/** Reads the parsed body of a request. */
export function readModelRequest(body: unknown, format: RequestFormat): ModelRequestReading {
  if (!isRecord(body)) return invalid('The body must be a JSON object.', null)
  const broken = format.rules.find(({ param, holds }) => !holds(body[param], body))
  if (broken !== undefined) return invalid(broken.message, broken.param)
  const instructions = format.readInstructions(body)
  const messages = instructions === null ? [] : [{ role: 'system', content: instructions }]
  const given = body[format.conversation]
  const entries: readonly unknown[] = Array.isArray(given)
    ? given
    : [{ role: 'user', content: given }]
  for (const [index, entry] of entries.entries()) {
    const found = format.readEntry(entry)
    const place = `${format.conversation}[${index}]`
    if (found === null) return invalid(format.describeUnreadable(place), place)
    messages.push(...found)
  }
  return {
    status: 'valid',
    model: String(body.model),
    messages,
    tools: readTools(body.tools),
    stream: body.stream === true,
    ...format.readOptions(body),
  }
}

const invalid = (message: string, param: string | null): ModelRequestReading => ({
  status: 'invalid',
  message,
  param,
})

/** Text, or a list of parts of which the text counts; `null` for anything else. */
export function readContent(content: unknown): string | null {
  if (typeof content === 'string') return content
  if (!Array.isArray(content) || !content.every(isRecord)) return null
  return content.map((part) => String(part.text ?? '')).join('')
}

/** A call of a tool as a message of its own; its arguments are JSON already where they are text. */
export const recordToolCall = (name: string, given: unknown): RecordedMessage => ({
  role: 'assistant',
  content: `${name}(${typeof given === 'string' ? given : JSON.stringify(given)})`,
})

/** The tools of a list that `isToolList` holds for; Chat Completions keeps the name one level below. */
const readTools = (tools: unknown): readonly OfferedTool[] =>
  Array.isArray(tools)
    ? tools.filter(isRecord).map((tool) => {
        const { name } = isRecord(tool.function) ? tool.function : tool
        return { name: String(name ?? tool.type), definition: JSON.stringify(tool) }
      })
    : []
