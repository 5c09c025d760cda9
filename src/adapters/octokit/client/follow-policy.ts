import type { Octokit } from '@octokit/rest'
import { ExecutorError } from '../../../core/domain/errors.ts'
import type { Clock, Random } from '../../../core/ports/clock.ts'
import { ComeBackLater, createCallPolicy, type Setback } from '../../resilience/call-policy.ts'
import { readRetryAfter } from '../../resilience/retry-delay.ts'
import {
  isLimit,
  isRequestFailure,
  isUncertain,
  type RequestFailure,
  reasonOf,
} from '../failure.ts'
import { isRead } from './graphql.ts'

/** GitHub asks for few concurrent requests, and refuses more than a hundred. */
const concurrency = 8

interface Means {
  readonly clock: Clock
  readonly random: Random
  readonly log: (line: string) => void
  /** In seconds. A longer wait ends the run: the work so far is on its branches. */
  readonly patience: number
}

/**
 * Waits out limits and temporary failures, and repeats reads. Never repeats a write.
 * @throws ExecutorError `forge_unreachable` with the time to come back after a long wait
 */
export function followPolicy(octokit: Octokit, { log, ...given }: Means): void {
  const note = (error: unknown, seconds: number) =>
    log(`${reasonOf(error)}; retrying in ${Math.ceil(seconds)} s`)
  const means = { ...given, concurrency, unnamedLimit: 60 }
  const policy = createCallPolicy({ ...means, judge: readSetback, note })
  octokit.hook.wrap('request', async (request, options) => {
    const again = isRead(options)
    return policy.execute(async () => request(options), { again }).catch(explain)
  })
}

function readSetback(error: unknown, now: string): Setback {
  if (!isRequestFailure(error)) return null
  if (isLimit(error)) return { kind: 'limited', seconds: readLimit(error, now) }
  return isUncertain(error) ? { kind: 'broken' } : null
}

/** Seconds from `Retry-After`, otherwise until the hourly reset; `null` without either. */
function readLimit({ response }: RequestFailure, now: string): number | null {
  const headers = response?.headers ?? {}
  const asked = readRetryAfter(String(headers['retry-after'] ?? ''), now)
  const exhausted = String(headers['x-ratelimit-remaining']) === '0'
  const reset = Number(headers['x-ratelimit-reset']) - Date.parse(now) / 1000
  return asked ?? (exhausted && reset > 0 ? reset + 1 : null)
}

function explain(error: unknown): never {
  if (!(error instanceof ComeBackLater)) throw error
  const { retryAt, cause } = error
  throw new ExecutorError('forge_unreachable', reasonOf(cause), { retryAt, cause })
}
