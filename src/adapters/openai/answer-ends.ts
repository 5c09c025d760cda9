/** What can end an answer, and what follows. */

/**
 * - `whole`: all of the answer came;
 * - `cut`: the model may continue it;
 * - `stopped`: the endpoint ended it, and would end a continuation too: the text is a part, and a person learns why;
 * - `broken`: the endpoint failed, so the same request may succeed;
 * - `miscalled`: the model called a tool in a broken form, so the request is repeated without native tools.
 */
export type AnswerEnd = 'whole' | 'cut' | 'stopped' | 'broken' | 'miscalled'

/** Values of `finish_reason` in lower case; any other is `whole`. */
const reasons: Readonly<Record<Exclude<AnswerEnd, 'whole'>, readonly string[]>> = {
  cut: [
    ...['length', 'max_tokens', 'max_output_tokens', 'max_completion_tokens'],
    // Mistral, Z.ai, Cohere; Anthropic behind a layer.
    ...['model_length', 'model_context_window_exceeded', 'error_limit', 'pause_turn'],
  ],
  stopped: [
    ...['content_filter', 'content_filtered', 'refusal', 'safety', 'recitation', 'blocklist'],
    // Gemini, Z.ai, Cohere, Bedrock.
    ...['prohibited_content', 'spii', 'language', 'other', 'image_safety', 'sensitive'],
    ...['error_toxic', 'guardrail_intervened'],
  ],
  broken: [
    // OpenRouter, Z.ai, DeepSeek, vLLM, SGLang.
    ...['error', 'network_error', 'insufficient_system_resource', 'abort', 'aborted'],
    ...['cancelled', 'failed'],
  ],
  miscalled: ['malformed_function_call', 'unexpected_tool_call', 'too_many_tool_calls'],
}

const ends = new Map(
  Object.entries(reasons).flatMap(([end, names]) =>
    names.map((name) => [name, end as AnswerEnd] as const),
  ),
)

/** Layers write the words of others in their own way: `MAX_TOKENS`, `FinishReason.SAFETY`, `content_filter: SAFETY`. */
export function readEnd(reason: string): AnswerEnd {
  const words =
    reason
      .replaceAll(/([a-z])(?=[A-Z])/g, '$1_')
      .toLowerCase()
      .match(/\w+/g) ?? []
  const known = words.map((word) => ends.get(word.replace(/^finish_reason_/, '')))
  return known.find((end) => end !== undefined) ?? 'whole'
}
