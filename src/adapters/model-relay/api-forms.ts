/**
 * The forms of API that agents speak, as data: where a request goes, which of its fields are passed on, and which of its
 * tools the endpoint itself would run. Fields as in the API references of OpenAI and Anthropic, July to September 2026.
 */

type Json = Readonly<Record<string, unknown>>

export interface ApiForm {
  /** Below the base URL of the endpoint. */
  readonly path: string
  /** Fields that limit the length of the answer; the first is set where the request has none. */
  readonly lengths: readonly string[]
  /**
   * The other fields that are passed on. All the rest is dropped, known or not: answers that are counted twice, dearer
   * service, other models, plug-ins of resellers.
   */
  readonly fields: ReadonlySet<string>
  /** Tools that the program runs itself; the endpoint would run others, with a network of its own. */
  readonly ownTool: RegExp
}

const ofAll = ['messages', 'metadata', 'stream', 'temperature', 'tool_choice', 'top_p']
const ofOpenAi = [
  ...['parallel_tool_calls', 'prompt_cache_key', 'reasoning', 'safety_identifier'],
  ...['stream_options', 'top_logprobs', 'user'],
]

const chat: ApiForm = {
  path: '/chat/completions',
  lengths: ['max_tokens', 'max_completion_tokens'],
  fields: new Set([
    ...[...ofAll, ...ofOpenAi, 'chat_template_kwargs', 'frequency_penalty', 'function_call'],
    ...['functions', 'logit_bias', 'logprobs', 'min_p', 'presence_penalty', 'reasoning_effort'],
    ...['repetition_penalty', 'response_format', 'seed', 'stop', 'thinking', 'top_k', 'verbosity'],
  ]),
  ownTool: /^(?:function|custom)$/,
}

const responses: ApiForm = {
  path: '/responses',
  lengths: ['max_output_tokens'],
  fields: new Set([
    ...[...ofAll, ...ofOpenAi, 'client_metadata', 'include', 'input', 'instructions', 'store'],
    ...['text', 'truncation'],
  ]),
  ownTool: /^(?:function|custom|local_shell|apply_patch)$/,
}

const messages: ApiForm = {
  path: '/messages',
  lengths: ['max_tokens'],
  fields: new Set([
    ...[...ofAll, 'cache_control', 'output_config', 'output_format', 'stop_sequences', 'system'],
    ...['thinking', 'top_k'],
  ]),
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
  const kept = Object.fromEntries(Object.entries(body).filter(([name]) => form.fields.has(name)))
  const named = form.lengths.find((name) => name in body) ?? form.lengths[0] ?? ''
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

/** Fields whose text the model reads, with pictures and files. */
const read = ['messages', 'input', 'system']
/** A conversation, or a prompt, that the endpoint keeps. */
const stored = ['previous_response_id', 'conversation', 'prompt']

/**
 * True when the endpoint would read something that the request does not hold: an address that it fetches, which would
 * be a network for the program, or what other programs of this account stored, which no estimate counts.
 */
export const leadsElsewhere = (body: Json): boolean =>
  stored.some((name) => (body[name] ?? null) !== null) || read.some((name) => hasLink(body[name]))

/** Arguments of the program's tools are data, and stay unread. */
function hasLink(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasLink)
  if (typeof value !== 'object' || value === null) return false
  const type = fieldOf(value, 'type')
  return (
    type === 'item_reference' ||
    Object.entries(value).some(
      ([name, inner]) =>
        !(type === 'tool_use' && name === 'input') && (isLink(name, inner) || hasLink(inner)),
    )
  )
}

/** `image_url`, `file_url`, `url`, also of other endpoints; and a file's content, which may be an address with some. */
function isLink(name: string, value: unknown): boolean {
  if (typeof value !== 'string') return false
  if (/^file_id$/i.test(name)) return true
  if (/^data:/i.test(value.trimStart())) return false
  return (
    /(?:^|_)ur[il]$/i.test(name) || (/^file_data$/i.test(name) && /^\s*[a-z][\w+.-]*:/i.test(value))
  )
}
