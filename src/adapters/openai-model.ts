import { addUsage, noUsage } from '../domain/usage.ts'
import type { Clock, Message, Model, ModelReply, ModelRequest, Random } from '../ports.ts'
import {
  createEndpoint,
  type Endpoint,
  type EndpointOptions,
  type Exchange,
} from './openai/endpoint.ts'
import { joinAnswers } from './openai/join-answers.ts'
import { backOff, longestWait, readRetryAfter } from './retry-delay.ts'

export interface OpenAIModelOptions extends EndpointOptions {
  readonly clock: Clock
  readonly random: Random
}

const mostRetries = 3

const mostContinuations = 2

/**
 * Any endpoint that speaks OpenAI's Chat Completions, asked until there is a whole answer: what
 * passes (overload, network, broken answers) is retried up to three times, an answer cut by its
 * length is continued up to two times. An endpoint that names a longer wait than a minute is
 * `unavailable` at once.
 */
export function createOpenAIModel(options: OpenAIModelOptions): Model {
  const endpoint = createEndpoint(options)
  return {
    async complete(request) {
      const most = request.continuations ?? mostContinuations
      let text = ''
      let usage = noUsage
      for (let continuations = 0; ; continuations++) {
        const reply = await askPatiently(endpoint, nextQuestion(request, text), options)
        usage = addUsage(usage, reply.usage)
        if (reply.status === 'unavailable') return { ...reply, usage }
        text = joinAnswers(text, reply.text)
        const { finish, runaway } = reply
        const complete = finish === 'stop' || runaway || reply.text === ''
        if (complete || continuations === most) return { status: 'answered', text, finish, usage }
      }
    },
  }
}

const goOn =
  'Your answer was cut off. Continue exactly where you stopped: repeat nothing, explain nothing, and open no new code fence.'

/** The request itself, or the request to go on after what was said so far. */
function nextQuestion(request: ModelRequest, said: string): ModelRequest {
  if (said === '') return request
  const more: readonly Message[] = [
    { role: 'assistant', content: said },
    { role: 'user', content: goOn },
  ]
  // The rest of a JSON object is no JSON object.
  return { ...request, messages: [...request.messages, ...more], json: false }
}

type Reply =
  | Extract<Exchange, { status: 'answered' }>
  | Extract<ModelReply, { status: 'unavailable' }>

async function askPatiently(
  endpoint: Endpoint,
  request: ModelRequest,
  { clock, random, signal }: OpenAIModelOptions,
): Promise<Reply> {
  let usage = noUsage
  for (let retry = 1; ; retry++) {
    signal.throwIfAborted()
    const exchange = await endpoint.send(request)
    usage = addUsage(usage, exchange.usage)
    if (exchange.status === 'answered') return { ...exchange, usage }

    const { reason } = exchange
    const now = clock.now()
    const asked = readRetryAfter(exchange.retryAfter, now)
    const wait = asked ?? backOff(retry, random.fraction())
    if (retry > mostRetries || wait > longestWait) {
      const retryAt = asked === null ? null : later(now, asked)
      return { status: 'unavailable', reason, retryAt, usage }
    }
    await clock.sleep(wait, signal)
  }
}

const later = (now: string, seconds: number): string =>
  new Date(Date.parse(now) + seconds * 1000).toISOString()
