import {
  argumentsOf,
  type Completion,
  formatNamedEvent,
  type StreamedCompletion,
} from './completion.ts'
import type { ScriptedUsage } from './model-script.ts'

/** The answer to a Responses request without `stream`. */
export const formatResponse = (completion: Completion): object => {
  const isCut = completion.finish === 'length'
  return {
    ...frame(completion),
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output: [...messageItems(completion), ...callItems(completion)],
    usage: completion.usage && formatUsage(completion.usage),
  }
}

/** The events of a Responses request's answer, numbered from 0; calls come after the text. */
export function formatResponseStream(
  completion: Completion,
  pieces: readonly string[],
): StreamedCompletion {
  let sequence = 0
  const event = (type: string, fields: object) =>
    formatNamedEvent(type, { sequence_number: sequence++, ...fields })
  const begun = { ...frame(completion), status: 'in_progress', output: [], usage: null }
  const opening = [
    event('response.created', { response: begun }),
    event('response.in_progress', { response: begun }),
  ]
  const messages = messageItems(completion)
  const item_id = messageId(completion)
  const place = { item_id, output_index: 0, content_index: 0 }
  for (const item of messages) {
    const empty = { ...item, status: 'in_progress', content: [] }
    opening.push(
      event('response.output_item.added', { output_index: 0, item: empty }),
      event('response.content_part.added', { ...place, part: textPart('') }),
    )
  }
  const deltas = pieces.map((delta) =>
    event('response.output_text.delta', { ...place, delta, logprobs: [] }),
  )
  const ending = messages.flatMap((item) => [
    event('response.output_text.done', { ...place, text: completion.text, logprobs: [] }),
    event('response.content_part.done', { ...place, part: textPart(completion.text) }),
    event('response.output_item.done', { output_index: 0, item }),
  ])
  for (const [index, item] of callItems(completion).entries()) {
    const output_index = messages.length + index
    const at = { item_id: item.id, output_index }
    const empty = { ...item, status: 'in_progress', arguments: '' }
    const { name, arguments: given } = item
    ending.push(
      event('response.output_item.added', { output_index, item: empty }),
      event('response.function_call_arguments.delta', { ...at, delta: given }),
      event('response.function_call_arguments.done', { ...at, name, arguments: given }),
      event('response.output_item.done', { output_index, item }),
    )
  }
  const last = completion.finish === 'length' ? 'response.incomplete' : 'response.completed'
  ending.push(event(last, { response: formatResponse(completion) }))
  return { opening: opening.join(''), deltas, ending: ending.join('') }
}

const frame = ({ number, model, created }: Completion) => ({
  id: `resp_script_${number}`,
  object: 'response',
  created_at: created,
  model,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: false,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
})

const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })

const messageId = ({ number }: Completion): string => `msg_script_${number}`

/** None where there are only calls. */
const messageItems = (completion: Completion) =>
  completion.text === '' && completion.toolCalls.length > 0
    ? []
    : [
        {
          id: messageId(completion),
          type: 'message',
          status: completion.finish === 'length' ? 'incomplete' : 'completed',
          role: 'assistant',
          content: [textPart(completion.text)],
        },
      ]

const callItems = ({ number, toolCalls }: Completion) =>
  toolCalls.map((call, index) => ({
    id: `fc_script_${number}_${index}`,
    type: 'function_call',
    status: 'completed',
    call_id: `call_script_${number}_${index}`,
    name: call.name,
    arguments: argumentsOf(call),
  }))

const formatUsage = ({ promptTokens, completionTokens }: ScriptedUsage): object => ({
  input_tokens: promptTokens,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: completionTokens,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: promptTokens + completionTokens,
})
