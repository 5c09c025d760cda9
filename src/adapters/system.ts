import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Clock, Random } from '../core/ports/clock.ts'

/** The clock and the random numbers of this machine. */

/** Node's timers count milliseconds in 31 bits; a longer one fires at once. */
const longestSleep = 2 ** 31 - 1

export function createSystemClock(): Clock {
  return {
    now: () => new Date().toISOString(),
    monotonic: () => performance.now() / 1000,
    async sleep(seconds, signal) {
      signal?.throwIfAborted()
      const options = signal ? { signal } : {}
      try {
        for (let left = seconds * 1000; left > 0; left -= longestSleep) {
          await setTimeout(Math.min(left, longestSleep), undefined, options)
        }
      } catch {
        signal?.throwIfAborted()
      }
    },
    every(seconds, work) {
      const timer = setInterval(work, seconds * 1000).unref()
      return () => clearInterval(timer)
    },
  }
}

export function createSystemRandom(): Random {
  return {
    hex: (length) =>
      randomBytes(Math.ceil(length / 2))
        .toString('hex')
        .slice(0, length),
    fraction: () => Math.random(),
  }
}
