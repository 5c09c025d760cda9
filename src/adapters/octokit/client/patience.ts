import type { Clock, Random } from '../../../ports.ts'
import { backOff, readRetryAfter } from '../../retry-delay.ts'
import {
  describe,
  isLimit,
  isRequestFailure,
  isUncertain,
  type RequestFailure,
} from '../failure.ts'
import { isRead } from './graphql.ts'
import type { Octokit } from './octokit.ts'

const mostRetries = 3

/** Seconds. A longer wait is for the next run: the work so far is on its branches. */
const longestLimitWait = 120

interface Means {
  readonly clock: Clock
  readonly random: Random
  readonly log: (line: string) => void
}

/** Waits out limits, and tries reads again that failed in passing. A write that failed is left alone. */
export function waitPatiently(octokit: Octokit, { clock, random, log }: Means): void {
  octokit.hook.wrap('request', async (request, options) => {
    for (let retry = 1; ; retry++) {
      try {
        return await request(options)
      } catch (error) {
        if (!isRequestFailure(error) || retry > mostRetries) throw error
        const wait = isLimit(error)
          ? limitWait(error, retry, clock.now())
          : isRead(options) && isUncertain(error)
            ? backOff(retry, random.fraction())
            : null
        if (wait === null) throw error
        log(`${describe(error)}; trying again in ${Math.ceil(wait)} s`)
        await clock.sleep(wait)
      }
    }
  })
}

/**
 * Seconds that a limit asks for, or `null` when that is too long: `Retry-After`, else the reset of the
 * hourly limit, else a minute and twice as long each time, as GitHub's documentation has it.
 */
function limitWait({ response }: RequestFailure, retry: number, now: string): number | null {
  const headers = response?.headers ?? {}
  const asked = readRetryAfter(String(headers['retry-after'] ?? ''), now)
  const exhausted = String(headers['x-ratelimit-remaining']) === '0'
  const reset = Number(headers['x-ratelimit-reset']) - Date.parse(now) / 1000
  const wait = asked ?? (exhausted && reset > 0 ? reset + 1 : 60 * 2 ** (retry - 1))
  return wait <= longestLimitWait ? wait : null
}
