import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startDeadline } from '../../../src/adapters/openai/patient-fetch.ts'

const seconds = { firstSeconds: 30, isFirstFixed: false, stallSeconds: 10, totalSeconds: 60 }

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

it('ends after silence within an answer, counted from what was heard last', () => {
  const deadline = startDeadline(seconds, new AbortController().signal)
  deadline.begun()
  for (let heard = 0; heard < 3; heard++) {
    vi.advanceTimersByTime(9_000)
    deadline.heard()
  }
  vi.advanceTimersByTime(9_999)
  expect(deadline.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(deadline.signal.aborted).toBe(true)
  expect(deadline.expired()).toEqual({ why: 'no data for 10 seconds', isSilence: true })
})

it.each([
  ['without a sign of life', [], 30],
  ['however early a sign of life came', [0, 1, 15], 30],
  ['as long after a late sign of life as within an answer', [29, 38], 48],
])('gives the first piece its own time, %s', (_, signs, until) => {
  const deadline = startDeadline(seconds, new AbortController().signal)
  for (let second = 0; second < until; second++) {
    if (signs.includes(second)) deadline.heard()
    expect(deadline.expired()).toBeNull()
    vi.advanceTimersByTime(1_000)
  }
  expect(deadline.expired()).toMatchObject({ isSilence: true })
})

it('does not extend a time that was set', () => {
  const deadline = startDeadline({ ...seconds, isFirstFixed: true }, new AbortController().signal)
  vi.advanceTimersByTime(29_000)
  deadline.heard()
  vi.advanceTimersByTime(1_000)
  expect(deadline.expired()).toEqual({ why: 'no data for 30 seconds', isSilence: true })
})

it('ends in time, however much is heard', () => {
  const deadline = startDeadline(seconds, new AbortController().signal)
  for (let heard = 0; heard < 20; heard++) {
    vi.advanceTimersByTime(5_000)
    deadline.heard()
  }
  const why = 'the answer was incomplete after 60 seconds'
  expect(deadline.expired()).toEqual({ why, isSilence: false })
})

it('ends with the run, and leaves no timer behind', () => {
  const run = new AbortController()
  const deadline = startDeadline(seconds, run.signal)
  run.abort()
  expect(deadline.signal.aborted).toBe(true)
  expect(deadline.expired()).toBeNull()
  deadline.stop()
  expect(vi.getTimerCount()).toBe(0)
})
