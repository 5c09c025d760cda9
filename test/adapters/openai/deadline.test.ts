import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startDeadline } from '../../../src/adapters/openai/deadline.ts'

const seconds = { stallSeconds: 10, timeoutSeconds: 60 }

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

it('ends after silence, counted from what was heard last', () => {
  const deadline = startDeadline(seconds, new AbortController().signal)
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
