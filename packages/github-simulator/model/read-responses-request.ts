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

const rules: readonly ParameterRule[] = [
  {
    param: 'model',
    message: "Missing required parameter: 'model'.",
    holds: isName,
  },
  {
    param: 'input',
    message: "Invalid type for 'input': expected text or an array of at least one item.",
    holds: (value) => typeof value === 'string' || (Array.isArray(value) && value.length > 0),
  },
  {
    param: 'instructions',
    message: "Invalid type for 'instructions': expected a string.",
    holds: (value) => absent(value) || typeof value === 'string',
  },
  {
    param: 'previous_response_id',
    message: 'Previous response was not found: this server keeps none.',
    holds: absent,
  },
  {
    param: 'stream',
    message: "Invalid type for 'stream': expected a boolean.",
    holds: isFlag,
  },
  {
    param: 'max_output_tokens',
    message: "Invalid value for 'max_output_tokens': expected an integer of at least 1.",
    holds: isCount,
  },
  {
    param: 'tools',
    message: "Invalid type for 'tools': expected an array of objects.",
    holds: isToolList,
  },
]

const roles = new Set(['system', 'developer', 'user', 'assistant'])

/** Thoughts and references say nothing that the server could read. */
const silent = new Set(['reasoning', 'item_reference', 'compaction'])

function readItem(item: unknown): readonly RecordedMessage[] | null {
  if (!isRecord(item)) return null
  const type = item.type ?? 'message'
  if (silent.has(String(type))) return []
  switch (type) {
    case 'message': {
      const content = readContent(item.content)
      const isKnown = roles.has(String(item.role))
      return isKnown && content !== null ? [{ role: String(item.role), content }] : null
    }
    case 'function_call':
      return isName(item.name) ? [recordToolCall(item.name, item.arguments)] : null
    case 'custom_tool_call':
      return isName(item.name) ? [recordToolCall(item.name, item.input)] : null
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const content = readContent(item.output)
      return content === null ? null : [{ role: 'tool', content }]
    }
    default:
      return null
  }
}

const format: RequestFormat = {
  rules,
  conversation: 'input',
  readEntry: readItem,
  describeUnreadable: (place) =>
    `Invalid value for '${place}': expected a message, a call of a tool or its output.`,
  readInstructions: ({ instructions }) => (typeof instructions === 'string' ? instructions : null),
  readOptions: ({ max_output_tokens: maxTokens, text }) => ({
    includeUsage: true,
    maxTokens: typeof maxTokens === 'number' ? maxTokens : null,
    json: isRecord(text) && isRecord(text.format) && text.format.type !== 'text',
  }),
}

/** Reads the parsed body of `POST /v1/responses`. */
export const readResponsesRequest = (body: unknown): ModelRequestReading =>
  readModelRequest(body, format)
