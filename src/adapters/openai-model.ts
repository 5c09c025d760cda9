import { addUsage, noUsage, type Usage } from '../core/domain/usage.ts'
import type { Clock, Random } from '../core/ports/clock.ts'
import type { EndpointWait, Message, Model, ModelReply, ModelRequest } from '../core/ports/model.ts'
import {
  Endpoint,
  type EndpointOptions,
  type HeardAnswer,
  isNearby,
  NoAnswer,
} from './openai/endpoint.ts'
import { readWindow } from './openai/read-window.ts'
import { tryKey } from './openai/try-key.ts'
import { ComeBackLater, createCallPolicy, type Setback } from './resilience/call-policy.ts'
import { readRetryAfter } from './resilience/retry-delay.ts'

export interface OpenAIModelOptions extends EndpointOptions {
  readonly clock: Clock
  readonly random: Random
}

const mostContinuations = 2

/** A server nearby that needs longer is asked by its first request. */
const windowSeconds = 1

/** Of a window, the share that counts: prompts are measured by an estimate, and Ollama truncates without a word. */
const safeShare = 0.9

/**
 * A client for any OpenAI-compatible Chat Completions endpoint. Retries temporary failures
 * (overload, network, broken answers) up to three times, and continues a truncated answer up to two
 * times. An endpoint that asks for a wait of more than a minute is `unavailable` at once.
 */
export function createOpenAIModel(options: OpenAIModelOptions): Model {
  const endpoint = new Endpoint(options)
  const { clock, random, signal } = options
  const means = { clock, random, signal, concurrency, patience, unnamedLimit: patience }
  const policy = createCallPolicy({ ...means, judge: readSetback })
  return {
    window: (model) => askForWindow(model, options),
    tryKey: () => tryKey(options),
    async complete({ heard, endsWhenSilent = false, ...request }) {
      const most = request.continuations ?? mostContinuations
      const setbacks: EndpointWait[] = []
      let [text, usage, endsInCall] = ['', noUsage, false]
      const ask = async (question: ModelRequest) => {
        const count = (more: Usage) => {
          usage = addUsage(usage, more)
        }
        try {
          const before = text.length
          return await endpoint.send(question, count, (progress) =>
            heard?.(
              progress.kind === 'received'
                ? { ...progress, characters: before + progress.characters }
                : progress,
            ),
          )
        } catch (error) {
          const isPassing = error instanceof NoAnswer && error.failure.tooLarge === null
          if (isPassing) setbacks.push({ reason: error.message, seconds: 0 })
          throw error
        }
      }
      for (let continuations = 0; ; continuations++) {
        try {
          const question = nextQuestion(request, text, endsInCall)
          const mayEnd = endsWhenSilent && text === ''
          const answer = await policy.execute(() => ask(question), {
            again: (error) => !(mayEnd && isSilence(error)),
            note: (error, seconds) => {
              const reason = error instanceof Error ? error.message : String(error)
              // Another call may have met the failure.
              const own = setbacks.at(-1)?.reason === reason ? setbacks.pop() : undefined
              setbacks.push({ reason, seconds: (own?.seconds ?? 0) + seconds })
              heard?.({ kind: 'retrying', seconds, reason })
            },
          })
          text =
            answer.isOnlyCalls && text !== ''
              ? `${text}\n\n${answer.text}`
              : joinAnswers(text, answer.text)
          endsInCall ||= answer.endsInCall
          const { ending, runaway } = answer
          const goesOn = ending === 'cut' && !runaway && answer.text !== ''
          if (!goesOn || continuations === most) {
            const facts = factsOf(answer, text, continuations)
            return { status: 'answered', text, usage, ...facts, ...withSetbacks(setbacks) }
          }
        } catch (error) {
          const unanswered = error instanceof ComeBackLater ? error.cause : error
          if (!(unanswered instanceof NoAnswer)) throw error
          const { message: reason, failure } = unanswered
          if (failure.tooLarge === null) {
            const retryAt = error instanceof ComeBackLater ? error.retryAt : null
            const before = withSetbacks(setbacks.slice(0, -1))
            if (endsWhenSilent && text === '' && isSilence(error)) {
              return { status: 'silent', reason, usage, ...before }
            }
            return { status: 'unavailable', reason, retryAt, usage, ...before }
          }
          if (text === '') return { status: 'too_large', reason, ...failure.tooLarge, usage }
          // The text so far counts as a truncated answer.
          return { status: 'answered', text, finish: 'length', usage, ...withSetbacks(setbacks) }
        }
      }
    },
  }
}

async function askForWindow(
  model: string,
  { baseUrl, apiKey, signal }: EndpointOptions,
): Promise<number | null> {
  if (!isNearby(baseUrl)) return null
  const late = AbortSignal.timeout(windowSeconds * 1000)
  const server = { baseUrl, apiKey, signal: AbortSignal.any([signal, late]) }
  const window = await readWindow(model, server)
  return window === null ? null : Math.floor(window * safeShare)
}

const isSilence = (error: unknown): boolean => error instanceof NoAnswer && error.failure.isSilence

/** An answer that was cut and not continued is a part, however its last request ended. */
function factsOf(
  { ending, runaway, promptSpeed, why, text: last }: HeardAnswer,
  text: string,
  continuations: number,
) {
  const isEmpty = text.trim() === ''
  const isPart = !isEmpty && (ending !== 'whole' || (continuations > 0 && last.trim() === ''))
  const finish: 'stop' | 'length' = runaway || ending === 'cut' || isPart ? 'length' : 'stop'
  return {
    finish,
    ...(why !== '' && (isEmpty || ending !== 'cut') && { why }),
    ...(runaway && { runaway: true as const }),
    ...(promptSpeed !== null && { promptSpeed }),
  }
}

const withSetbacks = (setbacks: readonly EndpointWait[]): Pick<ModelReply, 'setbacks'> =>
  setbacks.length === 0 ? {} : { setbacks }

const goOn =
  'Your answer was cut off. Continue exactly where you stopped: repeat nothing, explain nothing, and open no new code fence.'

/** Returns the request itself, or a request to continue the text so far. */
function nextQuestion(request: ModelRequest, said: string, endsInCall: boolean): ModelRequest {
  if (said === '') return request
  const { tools, ...rest } = request
  const more: readonly Message[] = [
    { role: 'assistant', content: said },
    { role: 'user', content: goOn },
  ]
  // The rest of a JSON object is not a JSON object.
  const question = { ...rest, messages: [...request.messages, ...more], json: false }
  // The rest of a call is text.
  return tools === undefined || endsInCall ? question : { ...question, tools }
}

/** Concurrent requests: self-hosted endpoints often serve one at a time. */
const concurrency = 4

/** In seconds. A longer wait is left to the next run. */
const patience = 60

/** Overload without a time counts as a temporary failure. */
function readSetback(error: unknown, now: string): Setback {
  if (!(error instanceof NoAnswer) || error.failure.tooLarge !== null) return null
  const seconds = readRetryAfter(error.failure.retryAfter, now)
  return seconds === null ? { kind: 'broken' } : { kind: 'limited', seconds }
}

/** No model repeats more than this when it continues. */
const longestOverlap = 2000

/** Shorter repetitions count as intended: code is full of them. */
const shortestOverlap = 20

/** A model that restarts the broken line repeats little, but from the line's start. */
const shortestLine = 4

/**
 * Joins a truncated answer with its continuation. Models often repeat the last lines, or the line
 * that they stopped in; the repetition is kept once.
 */
export function joinAnswers(start: string, continuation: string): string {
  const most = Math.min(start.length, continuation.length, longestOverlap)
  for (let length = most; length >= shortestLine; length--) {
    const repeated = continuation.slice(0, length)
    const startsLine = length === start.length || start.at(-length - 1) === '\n'
    if (length < shortestOverlap && !startsLine) continue
    if (start.endsWith(repeated) && isDistinct(repeated)) {
      return start + continuation.slice(length)
    }
  }
  return start + continuation
}

/** A rule of dashes or an indentation may repeat itself. */
const isDistinct = (text: string): boolean => new Set(text.replace(/\s/g, '')).size >= 4
