import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { askUpstream, type Upstream } from './ask-upstream.ts'
import { createAnswerBook } from './choose-answer.ts'
import { formatError, formatModels } from './completion-format.ts'
import { estimatePromptTokens, estimateTokens } from './estimate-tokens.ts'
import type { ModelScript, RecordedModelRequest, ScriptedReply } from './model-script.ts'
import { type ChatRequest, readChatRequest } from './read-chat-request.ts'
import { formatRecord } from './recording.ts'
import { sendJson, sendReply } from './send-reply.ts'

export interface ModelServerOptions {
  readonly script: ModelScript
  /** Any free one when not given. */
  readonly port?: number
  /** Requests for other models are answered 404; all are known when not given. */
  readonly models?: readonly string[]
  /** Requests with another key are answered 401; any key will do when not given. */
  readonly apiKey?: string
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
  /** Every well-formed chat request so far, oldest first. */
  readonly requests: readonly RecordedModelRequest[]
  /** Cuts open connections and frees the port. */
  close(): Promise<void>
}

/** An OpenAI-compatible endpoint on loopback that says what its script says. */
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
  const { apiKey, models } = context.options
  if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
    const message = 'Incorrect API key provided.'
    return refuse(response, 401, message, null, 'invalid_api_key')
  }
  const route = `${request.method} ${request.url?.split('?')[0]}`
  if (route === 'GET /v1/models') return sendJson(response, 200, formatModels(models ?? ['script']))
  if (route !== 'POST /v1/chat/completions') {
    return refuse(response, 404, `Invalid URL (${route})`, null, null)
  }
  const body = parseJson(await readBody(request))
  const chat = readChatRequest(body)
  if (chat.status === 'invalid') return refuse(response, 400, chat.message, chat.param, null)
  const refused = context.options.quirks?.refuses?.find((name) => Object.hasOwn(Object(body), name))
  if (refused !== undefined) {
    const message = `Unsupported parameter: '${refused}' is not supported with this model.`
    return refuse(response, 400, message, refused, 'unsupported_parameter')
  }
  if (models !== undefined && !models.includes(chat.model)) {
    const message = `The model '${chat.model}' does not exist or you do not have access to it.`
    return refuse(response, 404, message, null, 'model_not_found')
  }
  return complete(context, chat, request, response)
}

async function complete(
  { options, requests, answer, closing }: Context,
  chat: Extract<ChatRequest, { status: 'valid' }>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { countTokens, quirks, upstream } = options
  const { status: _, ...asked } = chat
  const purpose = request.headers['x-executor-purpose']
  const recorded: RecordedModelRequest = {
    ...asked,
    purpose: typeof purpose === 'string' ? purpose : null,
    at: new Date().toISOString(),
    promptTokens: countTokens
      ? chat.messages.reduce((sum, { content }) => sum + countTokens(content), 0)
      : estimatePromptTokens(chat.messages),
  }
  requests.push(recorded)
  const scripted = answer(recorded)
  const real = scripted === null && upstream ? await askUpstream(upstream, recorded, closing) : null
  if (real !== null && real.fault === undefined) options.onRecord?.(formatRecord(recorded, real))
  const reply = scripted ?? real
  if (reply === null) {
    const message = `The script has no answer for request ${requests.length}.`
    return refuse(response, 400, message, null, 'script_exhausted')
  }
  const text = reply.fault?.kind === 'empty' ? '' : (reply.text ?? '')
  const completionTokens = (countTokens ?? estimateTokens)(text)
  await sendReply({
    response,
    completion: {
      id: `chatcmpl-script-${requests.length}`,
      model: chat.model,
      created: Math.floor(Date.now() / 1000),
      text,
      finish: reply.finish ?? 'stop',
      usage: quirks?.reportsNoUsage
        ? null
        : (reply.usage ?? { promptTokens: recorded.promptTokens, completionTokens }),
    },
    stream: chat.stream && !quirks?.ignoresStream,
    includeUsage: chat.includeUsage,
    fault: reply.fault,
    closing,
  })
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  param: string | null,
  code: string | null,
): void {
  sendJson(response, status, formatError(message, 'invalid_request_error', param, code))
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
