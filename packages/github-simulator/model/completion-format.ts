import {
  argumentsOf,
  type Completion,
  cutIntoPieces,
  type StreamedCompletion,
} from './completion.ts'
import type { Refusal } from './dialect.ts'
import type { ScriptedUsage } from './model-script.ts'

/** The answer to a chat request without `stream`. */
export const formatCompletion = (completion: Completion): object => ({
  ...frame(completion, 'chat.completion'),
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: completion.text === '' && hasCalls(completion) ? null : completion.text,
        refusal: null,
        ...(hasCalls(completion) && { tool_calls: formatCalls(completion) }),
      },
      logprobs: null,
      finish_reason: finishOf(completion),
    },
  ],
  ...(completion.usage && { usage: formatUsage(completion.usage) }),
})

/** The events of a chat request's answer; the last of the text's are followed by those of the calls. */
export function formatCompletionStream(
  completion: Completion,
  pieces: readonly string[],
  includeUsage: boolean,
): StreamedCompletion {
  const chunk = frame(completion, 'chat.completion.chunk')
  const delta = (content: object, finish: string | null = null) =>
    formatEvent({
      ...chunk,
      choices: [{ index: 0, delta: content, logprobs: null, finish_reason: finish }],
    })
  const calls = formatCalls(completion).flatMap((call, index) => [
    delta({ tool_calls: [{ index, ...call, function: { ...call.function, arguments: '' } }] }),
    ...cutIntoPieces(call.function.arguments).map((piece) =>
      delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
    ),
  ])
  const usage =
    includeUsage && completion.usage !== null
      ? [formatEvent({ ...chunk, choices: [], usage: formatUsage(completion.usage) })]
      : []
  return {
    opening: delta({ role: 'assistant', content: '' }),
    deltas: pieces.map((content) => delta({ content })),
    ending: [...calls, delta({}, finishOf(completion)), ...usage, 'data: [DONE]\n\n'].join(''),
  }
}

/** An error as OpenAI's APIs say it. */
export const formatError = ({ message, type, param, code }: Refusal): object => ({
  error: { message, type: type ?? 'invalid_request_error', param, code },
})

export const formatModels = (models: readonly string[]): object => ({
  object: 'list',
  data: models.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'script' })),
})

const frame = ({ number, model, created }: Completion, object: string) => ({
  id: `chatcmpl-script-${number}`,
  object,
  created,
  model,
})

const hasCalls = ({ toolCalls }: Completion): boolean => toolCalls.length > 0

const finishOf = (completion: Completion): string =>
  completion.finish === 'stop' && hasCalls(completion) ? 'tool_calls' : completion.finish

const formatCalls = ({ number, toolCalls }: Completion) =>
  toolCalls.map((call, index) => ({
    id: `call_script_${number}_${index}`,
    type: 'function',
    function: { name: call.name, arguments: argumentsOf(call) },
  }))

const formatEvent = (data: object): string => `data: ${JSON.stringify(data)}\n\n`

const formatUsage = ({ promptTokens, completionTokens }: ScriptedUsage): object => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
})
