import type { OfferedTool, RecordedMessage, RecordedModelRequest } from './model-script.ts'

/** What a request asks for, or what is wrong with it, as its API would say it. */
export type ModelRequestReading =
  | ({ readonly status: 'valid' } & Omit<RecordedModelRequest, 'purpose' | 'at' | 'promptTokens'>)
  | { readonly status: 'invalid'; readonly message: string; readonly param: string | null }

export interface ParameterRule {
  readonly param: string
  readonly message: string
  readonly holds: (value: unknown, body: Record<string, unknown>) => boolean
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

export const invalid = (message: string, param: string | null): ModelRequestReading => ({
  status: 'invalid',
  message,
  param,
})

/** The first rule that a body breaks, as a refusal. */
export function findBrokenRule(
  rules: readonly ParameterRule[],
  body: Record<string, unknown>,
): ModelRequestReading | null {
  const broken = rules.find(({ param, holds }) => !holds(body[param], body))
  return broken === undefined ? null : invalid(broken.message, broken.param)
}

/** What a list of entries says, or the place of the first that cannot be read. */
export function readEntries(
  entries: readonly unknown[],
  name: string,
  read: (entry: unknown) => readonly RecordedMessage[] | null,
): { readonly messages: readonly RecordedMessage[] } | { readonly unreadable: string } {
  const messages: RecordedMessage[] = []
  for (const [index, entry] of entries.entries()) {
    const found = read(entry)
    if (found === null) return { unreadable: `${name}[${index}]` }
    messages.push(...found)
  }
  return { messages }
}

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
export const readTools = (tools: unknown): readonly OfferedTool[] =>
  Array.isArray(tools)
    ? tools.filter(isRecord).map((tool) => {
        const { name } = isRecord(tool.function) ? tool.function : tool
        return { name: String(name ?? tool.type), definition: JSON.stringify(tool) }
      })
    : []
