import { describe, expect, it, test } from 'vitest'
import {
  estimateReading,
  type HeardTimes,
  joinSpeeds,
  limitTime,
  measureSpeed,
  unknownSpeed,
} from '../../../src/adapters/openai/speed.ts'

const none = { timings: null, usage: null }

/** As llama.cpp reports them in its last chunk. */
const timings = {
  ...{ cache_n: 0, prompt_n: 3102, prompt_ms: 50_032, prompt_per_second: 62 },
  ...{ predicted_n: 210, predicted_ms: 21_000, predicted_per_second: 10 },
}

describe('the speed of an endpoint', () => {
  const times = {
    ...{ promptTokens: 3_000, completionTokens: 200, secondsToFirst: 50, secondsAfter: 20 },
    reported: none,
  }

  test.each<[string, Partial<HeardTimes>, number | null, number | null]>([
    ['is measured by the clock', {}, 60, 10],
    ['is what the server says', { reported: { ...none, timings } }, 62, 10],
    [
      'is not that of a cached prompt',
      { reported: { ...none, timings: { ...timings, prompt_n: 12, prompt_per_second: 300 } } },
      null,
      10,
    ],
    [
      'counts what was not cached',
      { reported: { ...none, usage: { prompt_tokens_details: { cached_tokens: 1_500 } } } },
      30,
      10,
    ],
    ['is not that of a connection', { promptTokens: 200, secondsToFirst: 1 }, null, 10],
    ['is not that of a few words', { completionTokens: 5, secondsAfter: 0.1 }, 60, null],
    ['is not that of an answer in one piece', { secondsAfter: 0 }, 60, null],
    [
      'is nothing that makes no sense',
      { reported: { ...none, timings: { prompt_n: 'x', predicted_per_second: -1 } } },
      null,
      null,
    ],
  ])('%s', (_, given, prompt, slowestAnswer) => {
    expect(measureSpeed({ ...times, ...given })).toEqual({ prompt, slowestAnswer })
  })

  it('is the slowest for limits, and the last for people', () => {
    const first = joinSpeeds(unknownSpeed, { prompt: 60, slowestAnswer: 10 })
    const second = joinSpeeds(first, { prompt: 600, slowestAnswer: null })
    expect(second).toEqual({ prompt: 600, slowestPrompt: 60, slowestAnswer: 10 })
  })
})

describe('the time of a request', () => {
  const unset = { stallSeconds: 60, firstByteSeconds: null, timeoutSeconds: null }
  const laptop = joinSpeeds(unknownSpeed, { prompt: 60, slowestAnswer: 10 })
  const request = { promptTokens: 5_000, maxOutputTokens: 6_000 }

  test.each([
    ['follows the measured speed', request, laptop, true, unset, 250, 1_150],
    ['is that of a busy laptop nearby', request, unknownSpeed, true, unset, 500, 1_700],
    ['is two minutes for a long prompt elsewhere', request, unknownSpeed, false, unset, 120, 600],
    [
      'is that of a stall for a short one',
      { ...request, promptTokens: 900 },
      ...([unknownSpeed, false, unset, 60, 600] as const),
    ],
    [
      'is never less than that of a stall',
      { ...request, promptTokens: 900 },
      ...([laptop, true, unset, 60, 960] as const),
    ],
    ['is capped', request, laptop, true, { ...unset, firstByteSeconds: 90 }, 90, 990],
    ['in total is what was set', request, laptop, true, { ...unset, timeoutSeconds: 30 }, 250, 30],
    [
      'is at most a day',
      request,
      joinSpeeds(unknownSpeed, { prompt: 0.01, slowestAnswer: 0.01 }),
      ...([true, unset, 86_400, 86_400] as const),
    ],
  ])('%s', (_, asked, speed, isNear, settings, firstSeconds, totalSeconds) => {
    expect(limitTime(asked, { speed, isNear }, settings)).toEqual({
      ...{ firstSeconds, totalSeconds, stallSeconds: 60 },
      isFirstFixed: settings.firstByteSeconds !== null,
    })
  })

  test.each([
    ['is told', 3_100, laptop, true, { seconds: 3_100 / 60 }],
    ['is told without a number before it is known', 3_100, unknownSpeed, true, { seconds: null }],
    ['is not told where it is short', 200, laptop, true, null],
    ['is not told of a short prompt', 40, unknownSpeed, true, null],
    ['is not guessed elsewhere', 9_000, unknownSpeed, false, null],
  ])('for reading %s', (_, tokens, speed, isNear, told) => {
    expect(estimateReading(tokens, { speed, isNear })).toEqual(told)
  })
})
