/**
 * The forms of API that agents speak, as data: where a request goes, which fields cost tokens that no limit counts, and
 * which of its tools the endpoint itself would run. Fields as in the API references of OpenAI and Anthropic.
 */

type Json = Readonly<Record<string, unknown>>

export interface ApiForm {
  /** Below the base URL of the endpoint. */
  readonly path: string
  /** Fields that limit the length of the answer; the first is set where the request has none. */
  readonly lengths: readonly string[]
  /** Fields that are dropped: answers that are counted twice, dearer service, and tools that the endpoint runs. */
  readonly dropped: readonly string[]
  /** Tools that the program runs itself; the endpoint would run others, with a network of its own. */
  readonly ownTool: RegExp
}

const chat: ApiForm = {
  path: '/chat/completions',
  lengths: ['max_tokens', 'max_completion_tokens'],
  dropped: ['n', 'prediction', 'service_tier', 'store', 'web_search_options'],
  ownTool: /^(?:function|custom)$/,
}

const responses: ApiForm = {
  path: '/responses',
  lengths: ['max_output_tokens'],
  dropped: ['background', 'conversation', 'prompt', 'service_tier'],
  ownTool: /^(?:function|custom|local_shell|apply_patch)$/,
}

const messages: ApiForm = {
  path: '/messages',
  lengths: ['max_tokens'],
  dropped: ['container', 'mcp_servers', 'service_tier'],
  ownTool: /^(?:custom|(?:bash|text_editor|memory)_\d+)?$/,
}

/** The form of a request by its path; `/v1` before it may be missing. */
export const formOf = (path: string): ApiForm | null =>
  [chat, responses, messages].find((form) => path.replace(/^\/v1(?=\/)/, '') === form.path) ?? null

/** The requested length of the answer, or `otherwise`. */
export function lengthIn({ lengths }: ApiForm, body: Json, otherwise: number): number {
  const asked = lengths.map((name) => body[name]).filter((value) => typeof value === 'number')
  return Math.max(1, Math.min(otherwise, ...asked))
}

/** The request as it goes to the endpoint: with our model, within the admitted length, and with the program's own tools. */
export function admittedBody(
  form: ApiForm,
  body: Json,
  { model, maxOutputTokens }: { readonly model: string; readonly maxOutputTokens: number },
): Json {
  const kept = Object.fromEntries(
    Object.entries(body).filter(([name]) => !form.dropped.includes(name)),
  )
  const named = form.lengths.find((name) => name in body) ?? form.lengths[0] ?? ''
  const others = form.lengths.filter((name) => name !== named)
  for (const name of others) delete kept[name]
  const tools = Array.isArray(body.tools) ? { tools: body.tools.filter(isOwn(form)) } : {}
  // Only then does a stream end with its usage.
  const counted =
    form === chat && body.stream === true ? { stream_options: { include_usage: true } } : {}
  return { ...kept, ...tools, ...counted, model, [named]: maxOutputTokens }
}

const isOwn =
  ({ ownTool }: ApiForm) =>
  (tool: unknown): boolean =>
    ownTool.test(String(fieldOf(tool, 'type') ?? ''))

const fieldOf = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)

/**
 * True when the endpoint would fetch an address that the request names: a picture, a document or a file. That would be a
 * network for the program. Arguments of its tools are data, and stay unread.
 */
export function namesAddress(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(namesAddress)
  if (typeof value !== 'object' || value === null) return false
  if (fieldOf(value, 'type') === 'tool_use') return false
  const [picture, file, source] = ['image_url', 'file_url', 'source'].map((name) =>
    fieldOf(value, name),
  )
  const isNamed =
    isAddress(picture) ||
    isAddress(fieldOf(picture, 'url')) ||
    isAddress(file) ||
    fieldOf(source, 'type') === 'url'
  return isNamed || Object.values(value).some(namesAddress)
}

const isAddress = (value: unknown): boolean =>
  typeof value === 'string' && !/^data:/i.test(value.trimStart())
