import { formatCompletion, formatCompletionStream, formatError } from './completion-format.ts'
import type { Dialect } from './dialect.ts'
import { formatMessage, formatMessageStream, formatMessagesError } from './messages-format.ts'
import { readChatRequest } from './read-chat-request.ts'
import { readMessagesRequest } from './read-messages-request.ts'
import { readResponsesRequest } from './read-responses-request.ts'
import { formatResponse, formatResponseStream } from './responses-format.ts'

/** OpenAI's Chat Completions, and the fallback for unknown paths. */
export const chatCompletions: Dialect = {
  readRequest: readChatRequest,
  formatWhole: formatCompletion,
  formatStream: formatCompletionStream,
  formatRefusal: formatError,
}

/** The API of each path. */
export const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['/v1/chat/completions', chatCompletions],
  [
    '/v1/responses',
    {
      readRequest: readResponsesRequest,
      formatWhole: formatResponse,
      formatStream: formatResponseStream,
      formatRefusal: formatError,
    },
  ],
  [
    '/v1/messages',
    {
      readRequest: readMessagesRequest,
      formatWhole: formatMessage,
      formatStream: formatMessageStream,
      formatRefusal: formatMessagesError,
    },
  ],
])
