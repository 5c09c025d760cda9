import type { Clock } from '../../src/core/ports.ts'

export interface FakeClock extends Clock {
  /** Every sleep so far, in seconds. */
  readonly sleeps: readonly number[]
  /** Lets time pass. */
  advance(seconds: number): void
}

/** A clock that stands still until somebody sleeps: then that much time has passed, at once. */
export function createFakeClock(start = '2026-01-02T03:04:05.000Z'): FakeClock {
  const sleeps: number[] = []
  let passed = 0
  return {
    sleeps,
    advance(seconds) {
      passed += seconds
    },
    now: () => new Date(Date.parse(start) + passed * 1000).toISOString(),
    monotonic: () => passed,
    async sleep(seconds, signal) {
      signal?.throwIfAborted()
      sleeps.push(seconds)
      passed += seconds
    },
  }
}
