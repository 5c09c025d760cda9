import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { askUpstream, type Upstream } from './ask-upstream.ts'
import { createAnswerBook } from './choose-answer.ts'
import { formatModels } from './completion-format.ts'
import type { Dialect, Refusal } from './dialect.ts'
import { chatCompletions, dialects } from './dialects.ts'
import { estimatePromptTokens, estimateTokens } from './estimate-tokens.ts'
import type { ModelScript, RecordedModelRequest, ScriptedReply } from './model-script.ts'
import { formatRecord } from './recording.ts'
import type { ModelRequestReading } from './request-parameters.ts'
import { sendJson, sendReply } from './send-reply.ts'

export interface ModelServerOptions {
  readonly script: ModelScript
  /** Any free one when not given. */
  readonly port?: number
  /** Requests for other models are answered 404; all are known when not given. */
  readonly models?: readonly string[]
  /** Requests with another key are answered 401; any key will do when not given. */
  readonly apiKey?: string
  /** How long every answer waits before it is sent, as a model that thinks. */
  readonly latencySeconds?: number
  /** Counts the tokens of a text instead of the estimate. */
  readonly countTokens?: (text: string) => number
  /** A real endpoint that answers what the script does not. */
  readonly upstream?: Upstream
  /** Takes a line for each answer of the upstream; `loadRecording` makes a script of such lines. */
  readonly onRecord?: (line: string) => void
  /** Ways in which OpenAI-compatible endpoints differ from OpenAI's. */
  readonly quirks?: {
    /** Answers JSON although a stream was asked for. */
    readonly ignoresStream?: boolean
    readonly reportsNoUsage?: boolean
    /** Parameters that are refused with 400: `stream_options`, `temperature`, … */
    readonly refuses?: readonly string[]
  }
}

export interface ModelServer {
  /** The base URL, ending in `/v1`. */
  readonly url: string
  /** Every well-formed request for an answer so far, oldest first. */
  readonly requests: readonly RecordedModelRequest[]
  /** Cuts open connections and frees the port. */
  close(): Promise<void>
}

/**
 * An endpoint on loopback that says what its script says: to Chat Completions, to Responses and to
 * Anthropic's Messages.
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const requests: RecordedModelRequest[] = []
  const closing = new AbortController()
  const answer = createAnswerBook(options.script)
  const server = createServer((request, response) => {
    serve({ options, requests, answer, closing: closing.signal }, request, response).catch(() =>
      response.destroy(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        closing.abort()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Context {
  readonly options: ModelServerOptions
  readonly requests: RecordedModelRequest[]
  readonly answer: (request: RecordedModelRequest) => ScriptedReply | null
  readonly closing: AbortSignal
}

async function serve(
  context: Context,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { apiKey, models, quirks } = context.options
  const path = request.url?.split('?')[0] ?? ''
  const known = request.method === 'POST' ? dialects.get(path) : undefined
  const dialect = known ?? chatCompletions
  const refuse = (status: number, message: string, more: Partial<Refusal> = {}) =>
    sendJson(
      response,
      status,
      dialect.formatRefusal({ status, message, param: null, code: null, ...more }),
    )
  if (apiKey !== undefined && !keysOf(request).includes(apiKey)) {
    return refuse(401, 'Incorrect API key provided.', { code: 'invalid_api_key' })
  }
  const route = `${request.method} ${path}`
  if (route === 'GET /v1/models') return sendJson(response, 200, formatModels(models ?? ['script']))
  if (known === undefined) return refuse(404, `Invalid URL (${route})`)
  const body = parseJson(await readBody(request))
  const asked = known.readRequest(body)
  if (asked.status === 'invalid') return refuse(400, asked.message, { param: asked.param })
  const refused = quirks?.refuses?.find((name) => Object.hasOwn(Object(body), name))
  if (refused !== undefined) {
    const message = `Unsupported parameter: '${refused}' is not supported with this model.`
    return refuse(400, message, { param: refused, code: 'unsupported_parameter' })
  }
  if (models !== undefined && !models.includes(asked.model)) {
    const message = `The model '${asked.model}' does not exist or you do not have access to it.`
    return refuse(404, message, { code: 'model_not_found' })
  }
  const recorded = record(context, asked, request)
  const reply = await findReply(context, recorded)
  if (reply === null) {
    const message = `The script has no answer for request ${context.requests.length}.`
    return refuse(400, message, { code: 'script_exhausted' })
  }
  return deliver(context, dialect, recorded, reply, response)
}

/** The Messages API has a header of its own for the key. */
function keysOf({ headers }: IncomingMessage): readonly unknown[] {
  return [headers.authorization?.replace(/^Bearer /, ''), headers['x-api-key']]
}

function record(
  { options: { countTokens }, requests }: Context,
  { status: _, ...asked }: Extract<ModelRequestReading, { status: 'valid' }>,
  request: IncomingMessage,
): RecordedModelRequest {
  const purpose = request.headers['x-executor-purpose']
  const texts = [
    ...asked.messages.map(({ content }) => content),
    ...asked.tools.map(({ definition }) => definition),
  ]
  const recorded: RecordedModelRequest = {
    ...asked,
    purpose: typeof purpose === 'string' ? purpose : null,
    at: new Date().toISOString(),
    promptTokens: countTokens
      ? texts.reduce((sum, text) => sum + countTokens(text), 0)
      : estimatePromptTokens(asked),
  }
  requests.push(recorded)
  return recorded
}

/** What the script says, else what the real endpoint does. */
async function findReply(
  { options: { upstream, onRecord }, answer, closing }: Context,
  recorded: RecordedModelRequest,
): Promise<ScriptedReply | null> {
  const scripted = answer(recorded)
  if (scripted !== null || upstream === undefined) return scripted
  const real = await askUpstream(upstream, recorded, closing)
  if (real.fault === undefined) onRecord?.(formatRecord(recorded, real))
  return real
}

async function deliver(
  { options, requests, closing }: Context,
  dialect: Dialect,
  recorded: RecordedModelRequest,
  reply: ScriptedReply,
  response: ServerResponse,
): Promise<void> {
  const { countTokens = estimateTokens, latencySeconds, quirks } = options
  const isEmpty = reply.fault?.kind === 'empty'
  const text = isEmpty ? '' : (reply.text ?? '')
  const toolCalls = isEmpty ? [] : (reply.toolCalls ?? [])
  const said = [text, ...toolCalls.map((call) => JSON.stringify(call))]
  const completionTokens = said.reduce((sum, part) => sum + countTokens(part), 0)
  const number = requests.length
  if (latencySeconds !== undefined) {
    await wait(latencySeconds * 1000, undefined, { signal: closing, ref: false })
  }
  await sendReply({
    dialect,
    response,
    completion: {
      number,
      model: recorded.model,
      created: Math.floor(Date.now() / 1000),
      text,
      toolCalls,
      finish: reply.finish ?? 'stop',
      usage: quirks?.reportsNoUsage
        ? null
        : (reply.usage ?? { promptTokens: recorded.promptTokens, completionTokens }),
    },
    stream: recorded.stream && !quirks?.ignoresStream,
    includeUsage: recorded.includeUsage,
    fault: reply.fault,
    closing,
  })
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
