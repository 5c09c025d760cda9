import { isFields, jsonFields, parseJson } from '../../../packages/text/text.ts'
import { isNearby } from './endpoint.ts'

interface Server {
  /** The API's root, usually ending in `/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly signal: AbortSignal
}

/** Without a loaded model and a setting of its own, Ollama gives a model this many tokens, or more where it finds the memory. */
const usualOfOllama = 4_096

/** A smaller number is no window. */
const smallestWindow = 256

/**
 * The tokens that a request may have with its answer, as the server itself says; `null` where it does not. Reads the
 * list of models (vLLM, SGLang, OpenRouter and others name it there), then what llama.cpp, Ollama and LM Studio say at
 * addresses of their own. Never throws.
 */
export async function readWindow(model: string, server: Server): Promise<number | null> {
  const list = readModelList(await read('/models', server))
  const named = list?.find(({ id }) => isListed(model, [id]))
  // llama.cpp answers with its only model, whatever name it is asked by.
  const entry = named ?? (list?.length === 1 ? list[0] : undefined)
  if (entry === undefined) return null
  const root = { ...server, baseUrl: server.baseUrl.replace(/\/v1\/?$/, '') }
  // Elsewhere, nothing but the list is asked.
  if (!isNearby(server.baseUrl)) return entry.window
  if (entry.owner === 'llamacpp') return (await windowOfLlama(root)) ?? entry.window
  if (entry.window !== null) return entry.window
  const [ollama, studio] = await Promise.all([
    windowOfOllama(entry, root),
    windowOfStudio(entry, root),
  ])
  return ollama ?? studio
}

/** Of one slot; the list has that of the model. */
async function windowOfLlama(root: Server): Promise<number | null> {
  const { default_generation_settings: settings } = jsonFields(await read('/props', root))
  return windowIn(jsonFields(settings).n_ctx)
}

/** Of the loaded model, else of its settings; what the model could have does not count. */
async function windowOfOllama({ id }: ListedModel, root: Server): Promise<number | null> {
  const shown = await read('/api/show', root, { model: id })
  if (!isFields(shown) || !isFields(shown.model_info)) return null
  const { models } = jsonFields(await read('/api/ps', root))
  const loaded = (Array.isArray(models) ? models : []).map(jsonFields)
  const own = loaded.find(({ name, model }) => name === id || model === id)
  const set = /^num_ctx\s+(\d+)\s*$/m.exec(String(shown.parameters ?? ''))?.[1]
  const key = Object.keys(shown.model_info).find((name) => name.endsWith('.context_length'))
  const most = windowIn(key === undefined ? null : shown.model_info[key])
  const window = windowIn(own?.context_length) ?? windowIn(Number(set)) ?? usualOfOllama
  return Math.min(window, most ?? window)
}

async function windowOfStudio({ id }: ListedModel, root: Server): Promise<number | null> {
  const { data } = jsonFields(await read('/api/v0/models', root))
  const own = (Array.isArray(data) ? data : []).map(jsonFields).find((each) => each.id === id)
  return windowIn(own?.loaded_context_length) ?? windowIn(own?.max_context_length)
}

const windowIn = (value: unknown): number | null =>
  Number.isSafeInteger(value) && Number(value) >= smallestWindow ? Number(value) : null

/** The JSON at this path; `undefined` for any failure. */
async function read(path: string, { baseUrl, apiKey, signal }: Server, body?: object) {
  try {
    const answer = await fetch(`${baseUrl.replace(/\/+$/, '')}${path}`, {
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal,
      redirect: 'error',
    })
    const text = await answer.text()
    return answer.ok ? parseJson(text) : undefined
  } catch {
    return undefined
  }
}

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
