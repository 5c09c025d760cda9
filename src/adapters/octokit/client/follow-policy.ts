import type { Octokit } from '@octokit/rest'
import { ExecutorError } from '../../../core/domain/errors.ts'
import type { Clock, Random } from '../../../core/ports.ts'
import { ComeBackLater, createCallPolicy, type Setback } from '../../resilience/call-policy.ts'
import { createPace } from '../../resilience/pace.ts'
import { readRetryAfter } from '../../resilience/retry-delay.ts'
import {
  isLimit,
  isRequestFailure,
  isUncertain,
  type RequestFailure,
  reasonOf,
} from '../failure.ts'
import { isRead } from './graphql.ts'

/** GitHub asks for few requests at a time, and refuses more than a hundred. */
const concurrency = 8

/** Seconds. A longer wait is for the next run: the work so far is on its branches. */
const patience = 120

/** What GitHub takes of what makes something; a second between two writes keeps the throttling plugin. */
const mostWrites = [
  { most: 80, seconds: 60 },
  { most: 500, seconds: 3600 },
]

interface Means {
  readonly clock: Clock
  readonly random: Random
  readonly pace: boolean
  readonly log: (line: string) => void
}

/**
 * Waits out limits and bad moments, and asks again what only reads. A write that failed is left alone.
 *
 * @throws ExecutorError `forge_unreachable` with the time to come back, where that is long
 */
export function followPolicy(octokit: Octokit, { clock, random, pace, log }: Means): void {
  const note = (error: unknown, seconds: number) =>
    log(`${reasonOf(error)}; trying again in ${Math.ceil(seconds)} s`)
  const means = { clock, random, concurrency, patience, unnamedLimit: 60 }
  const policy = createCallPolicy({ ...means, judge: readSetback, note })
  const nextWrite = pace ? createPace(clock, mostWrites) : () => 0
  octokit.hook.wrap('request', async (request, options) => {
    const again = isRead(options)
    const wait = again ? 0 : nextWrite()
    if (wait > patience) throw tooManyWrites(clock.now(), wait)
    if (wait > 0) await clock.sleep(wait)
    return policy.execute(async () => request(options), { again }).catch(explain)
  })
}

function readSetback(error: unknown, now: string): Setback {
  if (!isRequestFailure(error)) return null
  if (isLimit(error)) return { kind: 'limited', seconds: readLimit(error, now) }
  return isUncertain(error) ? { kind: 'broken' } : null
}

/** Seconds by `Retry-After`, else by the reset of the hourly limit; a secondary limit may name neither. */
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

function tooManyWrites(now: string, wait: number): ExecutorError {
  const retryAt = new Date(Date.parse(now) + wait * 1000).toISOString()
  const detail = 'it takes 500 writes an hour, and has had them'
  return new ExecutorError('forge_unreachable', detail, { retryAt })
}
