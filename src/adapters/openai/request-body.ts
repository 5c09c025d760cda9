import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import type { ModelRequest } from '../../core/ports/model.ts'

/** Parameters that an endpoint may not support and that we can do without. */
const optional = [
  'stream',
  'stream_options',
  'temperature',
  'response_format',
  'max_tokens',
  'max_completion_tokens',
] as const

export type OptionalParameter = (typeof optional)[number]

/** Builds the body of a request without the parameters that the endpoint refused before. */
export function buildBody(
  request: ModelRequest,
  temperature: number | null,
  refused: ReadonlySet<OptionalParameter>,
): ChatCompletionCreateParams {
  const may = (parameter: OptionalParameter) => !refused.has(parameter)
  const limit = request.maxOutputTokens
  const shared = {
    model: request.model,
    messages: [...request.messages],
    ...(temperature !== null && may('temperature') && { temperature }),
    ...(request.json &&
      may('response_format') && { response_format: { type: 'json_object' } as const }),
    // Every compatible server knows the older name.
    ...(may('max_tokens')
      ? { max_tokens: limit }
      : may('max_completion_tokens') && { max_completion_tokens: limit }),
  }
  if (!may('stream')) return shared
  const options = may('stream_options') && { stream_options: { include_usage: true } }
  return { ...shared, stream: true, ...options }
}

/**
 * The body's parameters that a refusal (400, 422) names in its `param` or message. Empty if the
 * refusal is about something else.
 */
export function refusedParameters(
  body: ChatCompletionCreateParams,
  refusal: { readonly param: unknown; readonly reason: string },
): readonly OptionalParameter[] {
  const sent = optional.filter((parameter) => Object.hasOwn(body, parameter))
  const byParam = sent.filter((parameter) => parameter === firstName(refusal.param))
  if (byParam.length > 0) return byParam
  const words = new Set(refusal.reason.match(/\w+/g))
  return sent.filter((parameter) => words.has(parameter))
}

/** Reduces `response_format.type` to `response_format`. */
const firstName = (param: unknown): string | undefined =>
  typeof param === 'string' ? param.split('.')[0] : undefined
