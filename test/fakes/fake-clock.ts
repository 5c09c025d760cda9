import type { Clock } from '../../src/core/ports/clock.ts'

export interface FakeClock extends Clock {
  /** Every sleep so far, in seconds. */
  readonly sleeps: readonly number[]
  /** Lets time pass. */
  advance(seconds: number): void
}

/** A clock that stands still until somebody sleeps: then that much time has passed, at once. */
export function createFakeClock(start = '2026-01-02T03:04:05.000Z'): FakeClock {
  const sleeps: number[] = []
  const repeated = new Set<{ next(): number; times: number; readonly work: () => void }>()
  let passed = 0
  const pass = (seconds: number) => {
    const end = passed + seconds
    for (;;) {
      const [first] = [...repeated].sort((a, b) => a.next() - b.next())
      if (first === undefined || first.next() > end) break
      passed = first.next()
      first.times += 1
      first.work()
    }
    passed = end
  }
  return {
    sleeps,
    advance: pass,
    now: () => new Date(Date.parse(start) + passed * 1000).toISOString(),
    monotonic: () => passed,
    async sleep(seconds, signal) {
      signal?.throwIfAborted()
      sleeps.push(seconds)
      pass(seconds)
    },
    every(seconds, work) {
      const began = passed
      const own = { times: 0, next: () => began + seconds * (own.times + 1), work }
      repeated.add(own)
      return () => repeated.delete(own)
    },
  }
}
