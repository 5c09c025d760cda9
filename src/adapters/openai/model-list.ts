import { isFields, jsonFields } from '../../../packages/text/text.ts'

/** An entry of `GET /models`. */
export interface ListedModel {
  readonly id: string
  /** `llamacpp`, `vllm`, `library`; empty if not said. */
  readonly owner: string
  /** Tokens of a request with its answer; `null` where the list does not say. */
  readonly window: number | null
}

/** Reads the answer to `GET /models`; `null` if it is no list. */
export function readModelList(answer: unknown): readonly ListedModel[] | null {
  const { data } = jsonFields(answer)
  if (!Array.isArray(data)) return null
  return data.flatMap((entry: unknown) => {
    if (!isFields(entry) || typeof entry.id !== 'string') return []
    const owner = typeof entry.owned_by === 'string' ? entry.owned_by : ''
    return [{ id: entry.id, owner, window: windowOf(entry) }]
  })
}

/** In the words of llama.cpp, vLLM and SGLang, OpenRouter, Groq, and Mistral. */
function windowOf(entry: Readonly<Record<string, unknown>>): number | null {
  const { max_model_len, context_length, context_window, max_context_length } = entry
  const named = [
    ...[jsonFields(entry.meta).n_ctx, max_model_len],
    ...[context_length, context_window, max_context_length],
  ]
  const window = named.find((value) => Number.isSafeInteger(value) && Number(value) > 0)
  return window === undefined ? null : Number(window)
}

/** Ollama lists `qwen3-coder` as `qwen3-coder:latest`; Gemini adds `models/` to every name. */
export const isListed = (model: string, models: readonly string[]): boolean =>
  models.some((each) => [model, `${model}:latest`, `models/${model}`].includes(each))
