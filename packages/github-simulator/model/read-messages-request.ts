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
  { param: 'model', message: 'model: Field required', holds: isName },
  {
    param: 'max_tokens',
    message: 'max_tokens: expected an integer of at least 1',
    holds: (value) => !absent(value) && isCount(value),
  },
  {
    param: 'messages',
    message: 'messages: expected an array of at least one message',
    holds: (value) => Array.isArray(value) && value.length > 0,
  },
  {
    param: 'system',
    message: 'system: expected text or an array of text blocks',
    holds: (value) => absent(value) || readContent(value) !== null,
  },
  { param: 'stream', message: 'stream: expected a boolean', holds: isFlag },
  { param: 'tools', message: 'tools: expected an array of objects', holds: isToolList },
]

const roles = new Set(['user', 'assistant', 'system'])

/** Neighbouring blocks of text are one message; calls of tools and their results are one each. */
function readMessage(message: unknown): readonly RecordedMessage[] | null {
  if (!isRecord(message) || !roles.has(String(message.role))) return null
  const role = String(message.role)
  const { content } = message
  if (typeof content === 'string') return [{ role, content }]
  if (!Array.isArray(content)) return null
  const read: RecordedMessage[] = []
  let text: string | null = null
  const endText = () => {
    if (text !== null) read.push({ role, content: text })
    text = null
  }
  for (const block of content) {
    if (!isRecord(block)) return null
    if (block.type !== 'tool_use' && block.type !== 'tool_result') {
      text = `${text ?? ''}${String(block.text ?? '')}`
      continue
    }
    endText()
    const found = block.type === 'tool_use' ? readCall(block) : readResult(block)
    if (found === null) return null
    read.push(found)
  }
  endText()
  return read
}

const readCall = ({ name, input }: Record<string, unknown>): RecordedMessage | null =>
  isName(name) ? recordToolCall(name, input) : null

/** A tool may have nothing to say. */
function readResult(block: Record<string, unknown>): RecordedMessage | null {
  const content = absent(block.content) ? '' : readContent(block.content)
  return content === null ? null : { role: 'tool', content }
}

const format: RequestFormat = {
  rules,
  conversation: 'messages',
  readEntry: readMessage,
  describeUnreadable: (place) => `${place}: expected a role and its content`,
  readInstructions: ({ system }) => readContent(system),
  readOptions: ({ max_tokens, output_config }) => ({
    includeUsage: true,
    maxTokens: Number(max_tokens),
    json: isRecord(output_config) && isRecord(output_config.format),
  }),
}

/** Reads the parsed body of `POST /v1/messages`. */
export const readMessagesRequest = (body: unknown): ModelRequestReading =>
  readModelRequest(body, format)
