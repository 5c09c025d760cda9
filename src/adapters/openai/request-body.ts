import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import type { ModelRequest, ToolDefinition } from '../../core/ports/model.ts'
import type { ModelFailure } from './read-failure.ts'

/** Parameters that an endpoint may not support and that we can do without. */
const optional = [
  'stream',
  'stream_options',
  'temperature',
  'seed',
  'response_format',
  'max_tokens',
  'max_completion_tokens',
  'tools',
  'tool_choice',
] as const

export type OptionalParameter = (typeof optional)[number]

/** Of another answer to the same question; 0.8 is usual where several are drawn (arXiv 2107.03374, 2407.21787). */
const sampleTemperature = 0.8

/** Builds the body of a request without the parameters that the endpoint refused before. */
export function buildBody(
  request: ModelRequest,
  configured: number | null,
  refused: ReadonlySet<OptionalParameter>,
): ChatCompletionCreateParams {
  const { sample = 0 } = request
  const temperature = sample > 0 ? Math.max(configured ?? 0, sampleTemperature) : configured
  const may = (parameter: OptionalParameter) => !refused.has(parameter)
  const limit = request.maxOutputTokens
  const shared = {
    model: request.model,
    messages: [...request.messages],
    ...(temperature !== null && may('temperature') && { temperature }),
    // Where a server knows seeds, a run that is repeated draws the same samples.
    ...(sample > 0 && may('seed') && { seed: sample }),
    ...(request.json &&
      may('response_format') && { response_format: { type: 'json_object' } as const }),
    // Every compatible server knows the older name.
    ...(may('max_tokens')
      ? { max_tokens: limit }
      : may('max_completion_tokens') && { max_completion_tokens: limit }),
    ...(may('tools') && offer(request.tools ?? [], may('tool_choice'))),
  }
  if (!may('stream')) return shared
  const options = may('stream_options') && { stream_options: { include_usage: true } }
  return { ...shared, stream: true, ...options }
}

/** An empty list is an error for some, and so is a choice without tools. */
const offer = (tools: readonly ToolDefinition[], mayChoose: boolean) =>
  tools.length > 0 && {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function' as const,
      function: { name, description, parameters: { ...parameters } },
    })),
    ...(mayChoose && { tool_choice: 'auto' as const }),
  }

/**
 * The body's parameters that a refusal names: in its `param` or message (400, 422), or by what the
 * model or the server cannot do with tools. Empty if the refusal is about something else.
 */
export function refusedParameters(
  body: ChatCompletionCreateParams,
  refusal: Pick<ModelFailure, 'status' | 'param' | 'reason'>,
): readonly OptionalParameter[] {
  const named = [400, 422].includes(refusal.status ?? 0) ? namedParameters(body, refusal) : []
  if (named.length > 0 || !Object.hasOwn(body, 'tools')) return named
  const { status, reason } = refusal
  const isAboutTools = statuses.includes(status) ? aboutTools.test(reason) : failed.test(reason)
  return isAboutTools ? ['tools'] : []
}

/** OpenRouter answers 404 where no provider knows tools; llama.cpp answers 500 without `--jinja`. */
const statuses: readonly (number | null)[] = [400, 404, 422, 500, 501]

/** Words of Ollama, vLLM, llama.cpp, OpenRouter and LM Studio. */
const aboutTools = /failed to call a function|\btools?\b|function[ _-]?call/i

/** Words of Groq for a model that calls tools in a broken form. */
const failed = /\bfailed_generation\b|failed to call a function/i

function namedParameters(
  body: ChatCompletionCreateParams,
  refusal: Pick<ModelFailure, 'param' | 'reason'>,
): readonly OptionalParameter[] {
  const sent = optional.filter((parameter) => Object.hasOwn(body, parameter))
  const byParam = sent.filter((parameter) => parameter === firstName(refusal.param))
  if (byParam.length > 0) return byParam
  const words = new Set(refusal.reason.match(/\w+/g))
  return sent.filter((parameter) => words.has(parameter))
}

/** Reduces `response_format.type` to `response_format`, and `tools[0].type` to `tools`. */
const firstName = (param: unknown): string | undefined =>
  typeof param === 'string' ? param.split(/[.[]/)[0] : undefined
