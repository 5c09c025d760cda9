import { z } from 'zod'
import type { RecordedModelRequest, ScriptedReply } from './model-script.ts'

/** A real endpoint behind the scripted one. `url` is its base URL, usually ending in `/v1`. */
export interface Upstream {
  readonly url: string
  readonly apiKey: string
}

const completion = z.object({
  choices: z.tuple(
    [
      z.object({
        message: z.object({
          content: z.string().nullish(),
          tool_calls: z
            .array(z.object({ function: z.object({ name: z.string(), arguments: z.string() }) }))
            .nullish(),
        }),
        finish_reason: z.string().nullish(),
      }),
    ],
    z.unknown(),
  ),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
})

/** What the real endpoint answers; its refusals are passed on as faults. */
export async function askUpstream(
  { url, apiKey }: Upstream,
  { model, messages, tools, maxTokens, json }: RecordedModelRequest,
  signal: AbortSignal,
): Promise<ScriptedReply> {
  const response = await fetch(`${url.replace(/\/$/, '')}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({
      model,
      messages,
      ...(tools.length > 0 && {
        tools: tools.map(({ definition }): unknown => JSON.parse(definition)),
      }),
      ...(maxTokens !== null && { max_tokens: maxTokens }),
      ...(json && { response_format: { type: 'json_object' } }),
    }),
    signal,
  })
  const body = await response.text()
  if (!response.ok) {
    const retryAfter = response.headers.get('retry-after')
    const fault = { kind: 'status', status: response.status, message: body } as const
    return { fault: { ...fault, ...(retryAfter !== null && { retryAfter }) } }
  }
  const { choices, usage } = completion.parse(JSON.parse(body))
  const [{ message, finish_reason }] = choices
  const calls = message.tool_calls ?? []
  return {
    text: message.content ?? '',
    ...(calls.length > 0 && { toolCalls: calls.map((call) => call.function) }),
    finish: finish_reason === 'length' ? 'length' : 'stop',
    ...(usage && {
      usage: { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens },
    }),
  }
}
