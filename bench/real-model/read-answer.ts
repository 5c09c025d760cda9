/** What an answer of an OpenAI-compatible endpoint says, streamed or whole. */

export interface AnswerFacts {
  readonly text: string
  /** Names and arguments of the tool calls, as JSON. */
  readonly toolCalls: string
  readonly finish: string | null
  /** The server's count; `null` where it gave none, as when the answer was cut off. */
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number } | null
  /** Pieces that the answer came in: about its tokens where the server streams each. */
  readonly pieces: number
  readonly timings: unknown
}

interface Part {
  readonly content?: string | null
  readonly reasoning_content?: string | null
  readonly tool_calls?: readonly { readonly function?: unknown }[]
}

interface Body {
  readonly choices?: readonly {
    readonly delta?: Part
    readonly message?: Part
    readonly finish_reason?: string | null
  }[]
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null
  readonly timings?: unknown
}

export function readAnswer(raw: string): AnswerFacts {
  const bodies = bodiesOf(raw)
  const choices = bodies.flatMap(({ choices: [choice] = [] }) => choice ?? [])
  const parts = choices.flatMap(({ delta, message }) => delta ?? message ?? [])
  const calls = parts.flatMap(({ tool_calls }) => tool_calls ?? [])
  const usage = bodies.findLast((body) => body.usage)?.usage
  return {
    text: parts.map(({ content }) => content ?? '').join(''),
    toolCalls: calls.length === 0 ? '' : JSON.stringify(calls),
    finish: choices.findLast((choice) => choice.finish_reason)?.finish_reason ?? null,
    usage: usage
      ? { promptTokens: usage.prompt_tokens ?? 0, completionTokens: usage.completion_tokens ?? 0 }
      : null,
    pieces: parts.filter(({ content }) => content).length,
    timings: bodies.findLast((body) => body.timings)?.timings ?? null,
  }
}

function bodiesOf(raw: string): readonly Body[] {
  const events = [...raw.matchAll(/^data: ?(\{.*\})\r?$/gm)].map(([, json = '']) => json)
  return (events.length > 0 ? events : [raw]).flatMap((json): Body[] => {
    try {
      const body: unknown = JSON.parse(json)
      return typeof body === 'object' && body !== null ? [body] : []
    } catch {
      return []
    }
  })
}
