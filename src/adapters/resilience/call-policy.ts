/**
 * How a service is called that others use, too: a few calls at a time, none while it is down or has
 * told us to come back later, and what failed in passing again, a little later each time. Whoever has
 * to wait for long is told when to come back instead.
 */
import { BrokenCircuitError, bulkhead } from 'cockatiel'
import type { Clock, Random } from '../../core/ports.ts'
import { createBreaker } from './breaker.ts'
import { backOff } from './retry-delay.ts'

/** What a failed call says of the next one; `null`: that it would fail like this one. */
export type Setback =
  /** 5xx, silence, a cut connection: the service has a bad moment. */
  | { readonly kind: 'broken' }
  /** Come back in so many seconds; `null` where it does not say when. */
  | { readonly kind: 'limited'; readonly seconds: number | null }
  | null

export interface CallPolicyOptions {
  readonly clock: Clock
  readonly random: Pick<Random, 'fraction'>
  readonly judge: (error: unknown, now: string) => Setback
  /** Calls at the same time; others wait their turn. */
  readonly concurrency: number
  /** Seconds that one call may wait in all. */
  readonly patience: number
  /** Seconds after the first of several limits in a row that do not say for how long; doubled each time. */
  readonly unnamedLimit: number
  readonly signal?: AbortSignal
  readonly note?: (error: unknown, seconds: number) => void
}

export interface CallPolicy {
  /**
   * Only what may be asked twice is asked `again`.
   * @throws ComeBackLater when the wait is too long; else what the last try failed with
   */
  execute<T>(call: () => Promise<T>, options: { readonly again: boolean }): Promise<T>
}

/** `cause` is the failure that says so. */
export class ComeBackLater extends Error {
  /** ISO 8601, UTC. */
  readonly retryAt: string

  constructor(retryAt: string, cause: unknown) {
    super(`Come back after ${retryAt}.`, { cause })
    this.name = 'ComeBackLater'
    this.retryAt = retryAt
  }
}

const mostTries = 4

type Tried<T> = { readonly value: T } | { readonly error: unknown; readonly setback: Setback }

export function createCallPolicy(options: CallPolicyOptions): CallPolicy {
  const { clock, random, judge, signal } = options
  const breaker = createBreaker(clock, (tried) => isBroken(tried as Tried<unknown>))
  const places = bulkhead(options.concurrency, Number.POSITIVE_INFINITY)
  /** Until when a limit holds, and how many there were in a row. */
  let hold = { until: 0, inARow: 0 }
  let lastSetback: unknown = null

  const closedFor = (): number => Math.max(hold.until - clock.monotonic(), breaker.remaining())

  const comeBack = (): ComeBackLater =>
    new ComeBackLater(later(clock.now(), closedFor()), lastSetback)

  /** Waits until the service may be called; answers the seconds that took. */
  async function waitForOpening(waited: number): Promise<number> {
    const seconds = closedFor()
    if (seconds <= 0) return 0
    if (waited + seconds > options.patience) throw comeBack()
    return rest(seconds, lastSetback)
  }

  async function rest(seconds: number, cause: unknown): Promise<number> {
    options.note?.(cause, seconds)
    await clock.sleep(seconds, signal)
    return seconds
  }

  async function tryOnce<T>(call: () => Promise<T>): Promise<Tried<T>> {
    const tried = await breaker.execute(() =>
      call().then(
        (value): Tried<T> => ({ value }),
        (error: unknown): Tried<T> => ({ error, setback: judge(error, clock.now()) }),
      ),
    )
    const setback = 'error' in tried ? tried.setback : null
    if (setback?.kind === 'limited') {
      const seconds = setback.seconds ?? options.unnamedLimit * 2 ** hold.inARow
      hold = { until: clock.monotonic() + seconds, inARow: hold.inARow + 1 }
    } else if (setback === null) hold = { ...hold, inARow: 0 }
    if (setback !== null && 'error' in tried) lastSetback = tried.error
    return tried
  }

  return {
    async execute(call, { again }) {
      let waited = 0
      for (let tries = 1; ; tries++) {
        signal?.throwIfAborted()
        waited += await waitForOpening(waited)
        const tried = await places.execute(() => tryOnce(call)).catch(whenOpen)
        if (tried === null) continue
        if ('value' in tried) return tried.value
        const { error, setback } = tried
        if (setback === null || !again) throw error
        if (tries === mostTries) throw closedFor() > 0 ? comeBack() : error
        if (setback.kind === 'broken' && closedFor() <= 0) {
          waited += await rest(backOff(tries, random.fraction()), error)
        }
      }
    },
  }
}

const isBroken = (tried: Tried<unknown>): boolean =>
  'error' in tried && tried.setback?.kind === 'broken'

/** Another call has opened the breaker since this one came. */
function whenOpen(error: unknown): null {
  if (error instanceof BrokenCircuitError) return null
  throw error
}

const later = (now: string, seconds: number): string =>
  new Date(Date.parse(now) + seconds * 1000).toISOString()
