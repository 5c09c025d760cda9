/** How fast a server reads prompts and writes answers, in tokens a second, and the time limits that follow. */

import { isFields, jsonFields } from '../../../packages/text/text.ts'
import type { Settings } from '../../core/domain/settings.ts'

/** `null`: not known. */
export interface Speed {
  /** As measured last. */
  readonly prompt: number | null
  readonly slowestPrompt: number | null
  readonly slowestAnswer: number | null
}

export const unknownSpeed: Speed = { prompt: null, slowestPrompt: null, slowestAnswer: null }

/** One answer, as the client saw it. */
export interface HeardTimes {
  readonly promptTokens: number
  readonly completionTokens: number
  /** Until the first piece of a thought or an answer. */
  readonly secondsToFirst: number
  readonly secondsAfter: number
  /** The server's own figures, as it sent them: `timings` and `usage`. */
  readonly reported: Readonly<Record<'timings' | 'usage', unknown>>
}

/** With fewer tokens, a time says more about the connection than about the model. */
const fewest = { reported: 100, prompt: 1_000, answer: 50 }

/**
 * The speed of one answer: the server's own figures (`timings` of llama.cpp), else by the clock. Tokens that the server
 * had from an earlier prompt do not count where it says how many.
 */
export function measureSpeed(times: HeardTimes): Pick<Speed, 'prompt' | 'slowestAnswer'> {
  const { promptTokens, completionTokens, secondsToFirst, secondsAfter } = times
  const { timings, usage } = times.reported
  if (isFields(timings)) {
    const isEnough = Number(timings.prompt_n) >= fewest.reported
    return {
      prompt: isEnough ? positive(timings.prompt_per_second) : null,
      slowestAnswer: positive(timings.predicted_per_second),
    }
  }
  const cached = jsonFields(jsonFields(usage).prompt_tokens_details).cached_tokens
  const read = promptTokens - (positive(cached) ?? 0)
  return {
    prompt: read < fewest.prompt ? null : positive(read / secondsToFirst),
    slowestAnswer:
      completionTokens < fewest.answer ? null : positive(completionTokens / secondsAfter),
  }
}

const positive = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null

/** The slowest of both: a server that had read most of a prompt before is not that fast with the next. */
export const joinSpeeds = (known: Speed, now: ReturnType<typeof measureSpeed>): Speed => ({
  prompt: now.prompt ?? known.prompt,
  slowestPrompt: slower(known.slowestPrompt, now.prompt),
  slowestAnswer: slower(known.slowestAnswer, now.slowestAnswer),
})

const slower = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

/** In seconds. */
export interface TimeLimits {
  /** Until the first piece of a thought or an answer. */
  readonly firstSeconds: number
  /** False: signs of life before that piece extend the time. */
  readonly isFirstFixed: boolean
  /** Of silence after it. */
  readonly stallSeconds: number
  readonly totalSeconds: number
}

/** Reading varies with the cache and with other requests; writing is steady. */
const margin = { reading: 3, writing: 1.5 }

/** A small model on two busy cores, in tokens a second: half of what was measured there. */
const slowestLaptop = { prompt: 10, answer: 5 }

/** A model of a public service may take this long for a prompt of this many tokens. */
const longPrompt = { tokens: 4_000, seconds: 120 }

const leastTotal = 600
const oneDay = 86_400

/**
 * The time that a request may take. It follows the measured speed; before anything is measured, a server nearby gets
 * the time of a busy laptop. `stall-seconds` is the least that it has for its first byte, and what the settings name
 * exactly is the most.
 */
export function limitTime(
  request: { readonly promptTokens: number; readonly maxOutputTokens: number },
  known: { readonly speed: Speed; readonly isNear: boolean },
  settings: Pick<Settings['model'], 'stallSeconds' | 'firstByteSeconds' | 'timeoutSeconds'>,
): TimeLimits {
  const { promptTokens, maxOutputTokens } = request
  const { speed, isNear } = known
  const { stallSeconds, firstByteSeconds, timeoutSeconds } = settings
  const reading =
    speed.slowestPrompt === null
      ? guessReading(promptTokens, isNear)
      : (margin.reading * promptTokens) / speed.slowestPrompt
  const writing =
    speed.slowestAnswer === null
      ? guessWriting(maxOutputTokens, isNear)
      : (margin.writing * maxOutputTokens) / speed.slowestAnswer
  const derived = wholeSeconds(Math.max(stallSeconds, reading))
  const firstSeconds = Math.min(derived, firstByteSeconds ?? derived)
  return {
    ...{ firstSeconds, stallSeconds, isFirstFixed: firstByteSeconds !== null },
    totalSeconds: timeoutSeconds ?? wholeSeconds(Math.max(leastTotal, firstSeconds + writing)),
  }
}

const wholeSeconds = (seconds: number): number => Math.min(oneDay, Math.ceil(seconds))

function guessReading(promptTokens: number, isNear: boolean): number {
  if (isNear) return promptTokens / slowestLaptop.prompt
  return promptTokens > longPrompt.tokens ? longPrompt.seconds : 0
}

const guessWriting = (maxOutputTokens: number, isNear: boolean): number =>
  isNear ? maxOutputTokens / slowestLaptop.answer : 0

/** A shorter wait needs no explanation. */
const shortReading = 5

/** Seconds that the server needs to read a prompt; `null` if unknown, and where it is too fast to be mentioned. */
export function estimateReading(
  promptTokens: number,
  { speed, isNear }: { readonly speed: Speed; readonly isNear: boolean },
): { readonly seconds: number | null } | null {
  if (speed.prompt === null) {
    return isNear && promptTokens / slowestLaptop.prompt > shortReading ? { seconds: null } : null
  }
  const seconds = promptTokens / speed.prompt
  return seconds > shortReading ? { seconds } : null
}
