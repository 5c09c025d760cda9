import {
  argumentsOf,
  type Completion,
  formatNamedEvent,
  type StreamedCompletion,
} from './completion.ts'
import type { Refusal } from './dialect.ts'
import type { ScriptedUsage } from './model-script.ts'

/** The answer to a Messages request without `stream`. */
export const formatMessage = (completion: Completion): object => ({
  ...frame(completion),
  content: [...textBlocks(completion), ...callBlocks(completion)],
  stop_reason: stopReasonOf(completion),
  stop_sequence: null,
  ...(completion.usage && { usage: formatUsage(completion.usage) }),
})

/** The events of a Messages request's answer; the blocks of calls come after that of the text. */
export function formatMessageStream(
  completion: Completion,
  pieces: readonly string[],
): StreamedCompletion {
  const { usage } = completion
  const delta = (index: number, part: object) =>
    formatNamedEvent('content_block_delta', { index, delta: part })
  const begin = (index: number, content_block: object) =>
    formatNamedEvent('content_block_start', { index, content_block })
  const end = (index: number) => formatNamedEvent('content_block_stop', { index })
  const texts = textBlocks(completion)
  const message = {
    ...frame(completion),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: formatUsage({ promptTokens: usage?.promptTokens ?? 0, completionTokens: 1 }),
  }
  const calls = callBlocks(completion).flatMap((call, position) => {
    const index = texts.length + position
    const given = completion.toolCalls[position]
    const partial_json = given === undefined ? '' : argumentsOf(given)
    return [
      begin(index, { ...call, input: {} }),
      delta(index, { type: 'input_json_delta', partial_json }),
      end(index),
    ]
  })
  const stop = { stop_reason: stopReasonOf(completion), stop_sequence: null }
  const used = { output_tokens: usage?.completionTokens ?? 0 }
  return {
    opening: [
      formatNamedEvent('message_start', { message }),
      ...texts.map((_, index) => begin(index, { type: 'text', text: '' })),
    ].join(''),
    deltas: pieces.map((text) => delta(0, { type: 'text_delta', text })),
    ending: [
      ...texts.map((_, index) => end(index)),
      ...calls,
      formatNamedEvent('message_delta', { delta: stop, usage: used }),
      formatNamedEvent('message_stop'),
    ].join(''),
  }
}

/** An error as the Messages API says it, where the status alone decides what kind it is. */
export const formatMessagesError = ({ status, message }: Refusal): object => ({
  type: 'error',
  error: { type: errorTypes[status] ?? errorTypeBeyond(status), message },
})

const errorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

const errorTypeBeyond = (status: number): string =>
  status >= 500 ? 'api_error' : 'invalid_request_error'

const frame = ({ number, model }: Completion) => ({
  id: `msg_script_${number}`,
  type: 'message',
  role: 'assistant',
  model,
})

const textBlocks = ({ text }: Completion) => (text === '' ? [] : [{ type: 'text', text }])

const callBlocks = ({ number, toolCalls }: Completion) =>
  toolCalls.map(({ name, arguments: input }, index) => ({
    type: 'tool_use',
    id: `toolu_script_${number}_${index}`,
    name,
    // A whole message cannot hold broken JSON.
    input: typeof input === 'string' ? {} : input,
  }))

function stopReasonOf({ finish, toolCalls }: Completion): string {
  if (finish === 'length') return 'max_tokens'
  return toolCalls.length > 0 ? 'tool_use' : 'end_turn'
}

const formatUsage = ({ promptTokens, completionTokens }: ScriptedUsage): object => ({
  input_tokens: promptTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: completionTokens,
})
