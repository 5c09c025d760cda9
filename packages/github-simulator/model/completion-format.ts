import type { ScriptedUsage } from './model-script.ts'

/** A finished answer, before it takes the shape of the protocol. */
export interface Completion {
  readonly id: string
  readonly model: string
  /** Seconds since 1970. */
  readonly created: number
  readonly text: string
  readonly finish: 'stop' | 'length'
  readonly usage: ScriptedUsage | null
}

/** The answer to a request without `stream`. */
export const formatCompletion = (completion: Completion): object => ({
  ...frame(completion, 'chat.completion'),
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: completion.text, refusal: null },
      logprobs: null,
      finish_reason: completion.finish,
    },
  ],
  ...(completion.usage && { usage: formatUsage(completion.usage) }),
})

/** Some twenty characters a piece, about five tokens. */
const piece = /[\s\S]{1,20}/gu

/** The events of a streamed answer's text, a few characters each. */
export function formatTextEvents(completion: Completion): readonly string[] {
  const delta = (content: object, finish: string | null = null) =>
    formatEvent({
      ...frame(completion, 'chat.completion.chunk'),
      choices: [{ index: 0, delta: content, logprobs: null, finish_reason: finish }],
    })
  const pieces = completion.text.match(piece) ?? []
  return [delta({ role: 'assistant', content: '' }), ...pieces.map((content) => delta({ content }))]
}

/** The events that end a streamed answer: why it ended, its usage when asked for, and the end mark. */
export function formatEndEvents(completion: Completion, includeUsage: boolean): readonly string[] {
  const chunk = frame(completion, 'chat.completion.chunk')
  const end = { index: 0, delta: {}, logprobs: null, finish_reason: completion.finish }
  const events = [formatEvent({ ...chunk, choices: [end] })]
  if (includeUsage && completion.usage !== null) {
    events.push(formatEvent({ ...chunk, choices: [], usage: formatUsage(completion.usage) }))
  }
  return [...events, 'data: [DONE]\n\n']
}

export const formatError = (
  message: string,
  type: string,
  param: string | null = null,
  code: string | null = null,
): object => ({ error: { message, type, param, code } })

export const formatModels = (models: readonly string[]): object => ({
  object: 'list',
  data: models.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'script' })),
})

const frame = ({ id, model, created }: Completion, object: string) => ({
  id,
  object,
  created,
  model,
})

const formatEvent = (data: object): string => `data: ${JSON.stringify(data)}\n\n`

const formatUsage = ({ promptTokens, completionTokens }: ScriptedUsage): object => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
})
