import { addUsage, noUsage } from '../core/domain/usage.ts'
import type { Message, Model, ModelReply, ModelRequest } from '../core/ports/model.ts'
import type { Clock, Random } from '../core/ports.ts'
import {
  createEndpoint,
  type Endpoint,
  type EndpointOptions,
  type Exchange,
} from './openai/endpoint.ts'
import { joinAnswers } from './openai/join-answers.ts'
import {
  type CallPolicy,
  ComeBackLater,
  createCallPolicy,
  type Setback,
} from './resilience/call-policy.ts'
import { readRetryAfter } from './resilience/retry-delay.ts'

export interface OpenAIModelOptions extends EndpointOptions {
  readonly clock: Clock
  readonly random: Random
}

const mostContinuations = 2

/**
 * Any endpoint that speaks OpenAI's Chat Completions, asked until there is a whole answer: what
 * passes (overload, network, broken answers) is retried up to three times, an answer cut by its
 * length is continued up to two times. An endpoint that names a longer wait than a minute is
 * `unavailable` at once.
 */
export function createOpenAIModel(options: OpenAIModelOptions): Model {
  const endpoint = createEndpoint(options)
  const { clock, random, signal } = options
  const means = { clock, random, signal, concurrency, patience, unnamedLimit: patience }
  const policy = createCallPolicy({ ...means, judge: readSetback })
  return {
    async complete(request) {
      const most = request.continuations ?? mostContinuations
      let text = ''
      let usage = noUsage
      const setbacks: string[] = []
      for (let continuations = 0; ; continuations++) {
        const reply = await askPatiently(endpoint, nextQuestion(request, text), policy, setbacks)
        usage = addUsage(usage, reply.usage)
        if (reply.status === 'unavailable')
          return { ...reply, usage, ...told(setbacks.slice(0, -1)) }
        if (reply.status === 'too_large') {
          // What was said until then is an answer that was cut.
          return text === ''
            ? { ...reply, usage }
            : { status: 'answered', text, finish: 'length', usage, ...told(setbacks) }
        }
        text = joinAnswers(text, reply.text)
        const { finish, runaway } = reply
        const complete = finish === 'stop' || runaway || reply.text === ''
        if (complete || continuations === most)
          return { status: 'answered', text, finish, usage, ...told(setbacks) }
      }
    },
  }
}

const told = (
  setbacks: readonly string[],
): Pick<Extract<ModelReply, { status: 'answered' }>, 'setbacks'> =>
  setbacks.length === 0 ? {} : { setbacks }

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
  | Extract<Exchange, { status: 'answered' | 'too_large' }>
  | Extract<ModelReply, { status: 'unavailable' }>

/** Calls at the same time: endpoints of one's own often serve one. */
const concurrency = 4

/** Seconds. A longer wait is for the next run. */
const patience = 60

/** A question that was not answered, for now. */
class Unanswered extends Error {
  readonly retryAfter: string | null

  constructor({ reason, retryAfter }: Extract<Exchange, { status: 'failed' }>) {
    super(reason)
    this.name = 'Unanswered'
    this.retryAfter = retryAfter
  }
}

/** Overload that names no time is a bad moment like others. */
function readSetback(error: unknown, now: string): Setback {
  if (!(error instanceof Unanswered)) return null
  const seconds = readRetryAfter(error.retryAfter, now)
  return seconds === null ? { kind: 'broken' } : { kind: 'limited', seconds }
}

/** `setbacks` hears of each time without an answer. */
async function askPatiently(
  endpoint: Endpoint,
  request: ModelRequest,
  policy: CallPolicy,
  setbacks: string[],
): Promise<Reply> {
  let usage = noUsage
  const send = async () => {
    const exchange = await endpoint.send(request)
    usage = addUsage(usage, exchange.usage)
    if (exchange.status === 'failed') {
      setbacks.push(exchange.reason)
      throw new Unanswered(exchange)
    }
    return exchange
  }
  try {
    const exchange = await policy.execute(send, { again: true })
    return { ...exchange, usage }
  } catch (error) {
    const retryAt = error instanceof ComeBackLater ? error.retryAt : null
    const failure = error instanceof ComeBackLater ? error.cause : error
    if (!(failure instanceof Unanswered)) throw error
    return { status: 'unavailable', reason: failure.message, retryAt, usage }
  }
}
