import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import type { Message, ModelRequest, ToolDefinition } from '../../core/ports/model.ts'
import { longestRead, type ModelFailure, numberIn } from './read-failure.ts'

/** Parameters that an endpoint may not support and that we can do without; `system` is the role of a message. */
const optional = [
  'system',
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

/** What an endpoint does not take of a model's requests, as its refusals said. */
export interface Refused {
  readonly parameters: Set<OptionalParameter>
  /** Tokens of the longest answer that may be asked for. */
  mostOutput: number
}

/** Builds the body of a request without what the endpoint refused before. */
export function buildBody(
  request: ModelRequest,
  configured: number | null,
  { parameters: refused, mostOutput }: Refused,
): ChatCompletionCreateParams {
  const { sample = 0 } = request
  const temperature = sample > 0 ? Math.max(configured ?? 0, sampleTemperature) : configured
  const may = (parameter: OptionalParameter) => !refused.has(parameter)
  const limit = Math.min(request.maxOutputTokens, mostOutput)
  const shared = {
    model: request.model,
    messages: may('system') ? [...request.messages] : withoutSystem(request.messages),
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

/** The instructions go into the user's first message; templates that know no system role want roles to alternate, too. */
function withoutSystem(messages: readonly Message[]): Message[] {
  const joined: Message[] = []
  for (const { role: given, content } of messages) {
    const role = given === 'system' ? 'user' : given
    const last = joined.at(-1)
    if (last?.role !== role) joined.push({ role, content })
    else joined.splice(-1, 1, { role, content: `${last.content}\n\n${content}` })
  }
  return joined
}

type Refusal = Pick<ModelFailure, 'status' | 'param' | 'reason'>

/**
 * Notes what a refusal says about the body: a parameter that it names or is about, or the longest answer. Returns false
 * if it is about something else, or if the body was without that already.
 */
export function noteRefusal(
  body: ChatCompletionCreateParams,
  refusal: Refusal,
  refused: Refused,
): boolean {
  const most = mostOutputIn(refusal)
  const sent = body.max_tokens ?? body.max_completion_tokens ?? 0
  if (most !== null && most < sent) {
    refused.mostOutput = most
    return true
  }
  const { status, reason } = refusal
  const named = ofParameters.includes(status) ? namedParameters(body, refusal) : []
  const has = (parameter: OptionalParameter) =>
    parameter === 'system'
      ? body.messages.some(({ role }) => role === 'system')
      : Object.hasOwn(body, parameter)
  const meant = topics.filter(
    ({ parameter, statuses, words }) =>
      has(parameter) && (statuses === null || statuses.includes(status)) && words.test(reason),
  )
  const all = named.length > 0 ? named : meant.map(({ parameter }) => parameter)
  const fresh = all.filter((parameter) => !refused.parameters.has(parameter))
  for (const parameter of fresh) refused.parameters.add(parameter)
  return fresh.length > 0
}

const ofParameters: readonly (number | null)[] = [400, 416, 422]

/** What the words of a refusal are about, where it names no parameter; `null`: whatever its status. */
const topics: readonly {
  readonly parameter: OptionalParameter
  readonly statuses: readonly (number | null)[] | null
  readonly words: RegExp
}[] = [
  {
    // Ollama, vLLM, llama.cpp (500 without `--jinja`), OpenRouter (404 where no provider knows tools), LM Studio.
    parameter: 'tools',
    statuses: [400, 404, 422, 500, 501],
    words: /failed to call a function|\btools?\b|function[ _-]?call/i,
  },
  {
    // Groq and Gemini, of a model that calls tools in a broken form.
    parameter: 'tools',
    statuses: null,
    words:
      /\bfailed_generation\b|failed to call a function|malformed_function_call|_tool_calls?\b/i,
  },
  {
    // The templates of Gemma and Mistral (500 from llama.cpp and SGLang, within a stream from LM Studio); OpenAI; Gemini.
    parameter: 'system',
    statuses: null,
    words:
      /system (?:role|message|prompt|instruction)s? (?:is |are )?not (?:supported|enabled)|developer instruction is not enabled|only user(?:,| and) (?:assistant|model)\b.{0,20}roles|roles must alternate|not support '?(?:system|developer)\b/i,
  },
]

/** The only group is the longest answer, in tokens. */
const longestAnswers: readonly RegExp[] = [
  /at most ([\d,]+) (?:completion|output|new) tokens/i,
  /range (?:of max_\w*tokens )?is (?:\[|from )\d+,? ?(?:\(inclusive\) to )?([\d,]+)/i,
  /(?:less than or equal to|must be <=|cannot exceed|limit of) `?([\d,]+)/i,
  /> ([\d,]+), which is the maximum/i,
]

/** The longest answer that a refusal names; `null` if it is about something else. */
function mostOutputIn({ param, reason }: Refusal): number | null {
  const said = reason.slice(0, longestRead)
  if (!/max_?\w*tokens/i.test(`${param} ${said}`)) return null
  const most = numberIn(said, longestAnswers)
  return most === null || most < 1 ? null : most - (/\(exclusive\)/.test(said) ? 1 : 0)
}

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
