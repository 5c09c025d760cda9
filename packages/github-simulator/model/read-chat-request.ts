import type { RecordedMessage } from './model-script.ts'
import {
  absent,
  isCount,
  isFlag,
  isName,
  isRecord,
  isToolList,
  type ModelRequestReading,
  type ParameterRule,
  type RequestFormat,
  readContent,
  readModelRequest,
  recordToolCall,
} from './request-parameters.ts'

const roles = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

const rules: readonly ParameterRule[] = [
  {
    param: 'model',
    message: 'you must provide a model parameter',
    holds: isName,
  },
  {
    param: 'messages',
    message: "Invalid type for 'messages': expected an array of at least one message.",
    holds: (value) => Array.isArray(value) && value.length > 0,
  },
  {
    param: 'stream',
    message: "Invalid type for 'stream': expected a boolean.",
    holds: isFlag,
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
    param: 'tools',
    message: "Invalid type for 'tools': expected an array of objects.",
    holds: isToolList,
  },
  {
    param: 'tool_choice',
    message: "Invalid value for 'tool_choice': it is only allowed when 'tools' are specified.",
    holds: (value, body) => absent(value) || (Array.isArray(body.tools) && body.tools.length > 0),
  },
  {
    param: 'response_format',
    message: "Invalid value for 'response_format.type': expected text, json_object or json_schema.",
    holds: (value) =>
      absent(value) ||
      (isRecord(value) && ['text', 'json_object', 'json_schema'].includes(String(value.type))),
  },
]

/** Content is text, or a list of parts of which the text counts; calls of tools come after it. */
function readMessage(message: unknown): readonly RecordedMessage[] | null {
  if (!isRecord(message) || !roles.has(String(message.role))) return null
  const role = String(message.role)
  const calls = readToolCalls(message.tool_calls)
  const isSilent = absent(message.content) && role === 'assistant'
  const content = isSilent ? '' : readContent(message.content)
  if (calls === null || content === null) return null
  return content === '' && calls.length > 0 ? calls : [{ role, content }, ...calls]
}

function readToolCalls(calls: unknown): readonly RecordedMessage[] | null {
  if (absent(calls)) return []
  if (!Array.isArray(calls)) return null
  const read = calls.flatMap((call: unknown) =>
    isRecord(call) && isRecord(call.function) && isName(call.function.name)
      ? [recordToolCall(call.function.name, call.function.arguments)]
      : [],
  )
  return read.length === calls.length ? read : null
}

const format: RequestFormat = {
  rules,
  conversation: 'messages',
  readEntry: readMessage,
  describeUnreadable: (place) => `Invalid value for '${place}': expected a role and its content.`,
  readInstructions: () => null,
  readOptions({ max_tokens, max_completion_tokens, stream_options, response_format }) {
    const maxTokens = max_completion_tokens ?? max_tokens
    return {
      includeUsage: isRecord(stream_options) && stream_options.include_usage === true,
      maxTokens: typeof maxTokens === 'number' ? maxTokens : null,
      json: isRecord(response_format) && response_format.type !== 'text',
    }
  },
}

/** Reads the parsed body of `POST /v1/chat/completions`. */
export const readChatRequest = (body: unknown): ModelRequestReading =>
  readModelRequest(body, format)
