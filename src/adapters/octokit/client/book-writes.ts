import type { Octokit } from '@octokit/rest'
import { ExecutorError } from '../../../core/domain/errors.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import { bookingSeconds, type Pace } from '../../../core/ports/pace.ts'
import { isRead } from './graphql.ts'

export interface Bookings {
  readonly writes: Pace
  readonly clock: Clock
  /** In seconds. */
  readonly patience: number
}

/** Seconds between attempts to book while the count of writes cannot be reached. */
const retrySeconds = 2

/** A plugin that sends each write at the time that it booked. */
export const bookWrites =
  (bookings: Bookings) =>
  (octokit: Pick<Octokit, 'hook'>): void =>
    octokit.hook.wrap('request', async (request, options) => {
      if (!isRead(options)) await waitForTurn(bookings)
      return request(options)
    })

/** @throws ExecutorError `forge_unreachable` with the time to come back after a long wait */
async function waitForTurn({ writes, clock, patience }: Bookings): Promise<void> {
  const end = clock.monotonic() + patience
  for (;;) {
    const start = clock.monotonic()
    const wait = await book(writes, clock, end)
    if (wait > 0) await clock.sleep(wait)
    // A process that was stopped for a while has missed its turn.
    if (clock.monotonic() - start - wait <= bookingSeconds) return
  }
}

/** Without a count, no write is sent: others may be using up the limit. */
async function book(writes: Pace, clock: Clock, end: number): Promise<number> {
  for (;;) {
    const left = end - clock.monotonic()
    const found = await writes(left).catch((cause: unknown) => {
      if (left > retrySeconds) return null
      const detail = 'the database that counts writes does not answer'
      throw new ExecutorError('forge_unreachable', detail, { cause })
    })
    if (found === null) await clock.sleep(retrySeconds)
    else if (found <= left) return found
    else throw tooManyWrites(clock.now(), found)
  }
}

function tooManyWrites(now: string, wait: number): ExecutorError {
  const retryAt = new Date(Date.parse(now) + wait * 1000).toISOString()
  const detail = 'its limit of 500 writes per hour is used up'
  return new ExecutorError('forge_unreachable', detail, { retryAt })
}
