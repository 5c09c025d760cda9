import type { RecordedMessage } from './model-script.ts'

/** What a chat completion request asks for, or what is wrong with it, as the OpenAI API would say it. */
export type ChatRequest =
  | {
      readonly status: 'valid'
      readonly model: string
      readonly messages: readonly RecordedMessage[]
      readonly stream: boolean
      readonly includeUsage: boolean
      readonly maxTokens: number | null
      readonly json: boolean
    }
  | { readonly status: 'invalid'; readonly message: string; readonly param: string | null }

const roles = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** Reads the parsed body of `POST /v1/chat/completions`. */
export function readChatRequest(body: unknown): ChatRequest {
  if (!isRecord(body)) return invalid('The body must be a JSON object.', null)
  const wrong = rules.find(({ param, holds }) => !holds(body[param], body))
  if (wrong !== undefined) return invalid(wrong.message, wrong.param)

  const messages: RecordedMessage[] = []
  for (const [index, message] of (body.messages as unknown[]).entries()) {
    const read = readMessage(message)
    if (read === null) {
      const where = `messages[${index}]`
      return invalid(`Invalid value for '${where}': expected a role and its content.`, where)
    }
    messages.push(read)
  }
  const maxTokens = body.max_completion_tokens ?? body.max_tokens
  const streamOptions = body.stream_options
  const format = body.response_format
  return {
    status: 'valid',
    model: String(body.model),
    messages,
    stream: body.stream === true,
    includeUsage: isRecord(streamOptions) && streamOptions.include_usage === true,
    maxTokens: typeof maxTokens === 'number' ? maxTokens : null,
    json: isRecord(format) && format.type !== 'text',
  }
}

interface ParameterRule {
  readonly param: string
  readonly message: string
  readonly holds: (value: unknown, body: Record<string, unknown>) => boolean
}

const absent = (value: unknown): boolean => value === undefined || value === null

const isCount = (value: unknown): boolean =>
  absent(value) || (Number.isInteger(value) && Number(value) >= 1)

const rules: readonly ParameterRule[] = [
  {
    param: 'model',
    message: 'you must provide a model parameter',
    holds: (value) => typeof value === 'string' && value !== '',
  },
  {
    param: 'messages',
    message: "Invalid type for 'messages': expected an array of at least one message.",
    holds: (value) => Array.isArray(value) && value.length > 0,
  },
  {
    param: 'stream',
    message: "Invalid type for 'stream': expected a boolean.",
    holds: (value) => absent(value) || typeof value === 'boolean',
  },
  {
    param: 'stream_options',
    message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    holds: (value, body) => absent(value) || (isRecord(value) && body.stream === true),
  },
  {
    param: 'max_tokens',
    message: "Invalid value for 'max_tokens': expected an integer of at least 1.",
    holds: isCount,
  },
  {
    param: 'max_completion_tokens',
    message: "Invalid value for 'max_completion_tokens': expected an integer of at least 1.",
    holds: isCount,
  },
  {
    param: 'temperature',
    message: "Invalid value for 'temperature': expected a number from 0 to 2.",
    holds: (value) => absent(value) || (typeof value === 'number' && value >= 0 && value <= 2),
  },
  {
    param: 'response_format',
    message: "Invalid value for 'response_format.type': expected text, json_object or json_schema.",
    holds: (value) =>
      absent(value) ||
      (isRecord(value) && ['text', 'json_object', 'json_schema'].includes(String(value.type))),
  },
]

/** Content is text, or a list of parts of which the text counts. */
function readMessage(message: unknown): RecordedMessage | null {
  if (!isRecord(message) || !roles.has(String(message.role))) return null
  const role = String(message.role)
  const content = message.content
  if (typeof content === 'string') return { role, content }
  if (absent(content) && role === 'assistant') return { role, content: '' }
  if (!Array.isArray(content) || !content.every(isRecord)) return null
  return { role, content: content.map((part) => String(part.text ?? '')).join('') }
}

const invalid = (message: string, param: string | null): ChatRequest => ({
  status: 'invalid',
  message,
  param,
})

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
