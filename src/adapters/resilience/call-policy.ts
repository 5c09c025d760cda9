/**
 * Calls a shared service: limits concurrency, pauses while the service is down or has asked to
 * wait, and retries temporary failures with growing delays. After too long a wait it tells the
 * caller when to come back.
 */
import {
  BrokenCircuitError,
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
  type IBackoff,
} from 'cockatiel'
import type { Clock, Random } from '../../core/ports/clock.ts'
import { backOff } from './retry-delay.ts'

/** What a failed call implies for the next one; `null`: it would fail as well. */
export type Setback =
  /** 5xx, silence or a lost connection: a temporary failure. */
  | { readonly kind: 'broken' }
  /** A rate limit; `null` seconds if the service names none. */
  | { readonly kind: 'limited'; readonly seconds: number | null }
  | null

export interface CallPolicyOptions {
  readonly clock: Clock
  readonly random: Pick<Random, 'fraction'>
  readonly judge: (error: unknown, now: string) => Setback
  /** Maximum concurrent calls; others wait. */
  readonly concurrency: number
  /** Maximum seconds that one call may wait in total. */
  readonly patience: number
  /** Seconds to wait after the first limit without a time; doubled for each one in a row. */
  readonly unnamedLimit: number
  readonly signal?: AbortSignal
  readonly note?: NoteWait
}

type NoteWait = (error: unknown, seconds: number) => void

export interface CallPolicy {
  /**
   * `again` allows retries, of all failures or of this one. `note` receives the reason and length of each wait.
   * @throws ComeBackLater if the wait is too long; otherwise the error of the last try
   */
  execute<T>(
    call: () => Promise<T>,
    options: {
      readonly again: boolean | ((error: unknown) => boolean)
      readonly note?: NoteWait
    },
  ): Promise<T>
}

/** `cause` is the failure that imposed the wait. */
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
  /** The end of the current limit, and the number of limits in a row. */
  let hold = { until: 0, inARow: 0 }
  let lastSetback: unknown = null

  const closedFor = (): number => Math.max(hold.until - clock.monotonic(), breaker.remaining())

  const comeBack = (): ComeBackLater =>
    new ComeBackLater(later(clock.now(), closedFor()), lastSetback)

  /** Waits until the service may be called; returns the seconds waited. */
  async function waitForOpening(waited: number, note?: NoteWait): Promise<number> {
    const seconds = closedFor()
    if (seconds <= 0) return 0
    if (waited + seconds > options.patience) throw comeBack()
    return rest(seconds, lastSetback, note)
  }

  async function rest(seconds: number, cause: unknown, note = options.note): Promise<number> {
    note?.(cause, seconds)
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
    async execute(call, { again, note }) {
      let waited = 0
      for (let tries = 1; ; tries++) {
        signal?.throwIfAborted()
        waited += await waitForOpening(waited, note)
        const tried = await places.execute(() => tryOnce(call)).catch(whenOpen)
        if (tried === null) continue
        if ('value' in tried) return tried.value
        const { error, setback } = tried
        const isRetried = typeof again === 'boolean' ? again : again(error)
        if (setback === null || !isRetried) throw error
        if (tries === mostTries) throw closedFor() > 0 ? comeBack() : error
        if (setback.kind === 'broken' && closedFor() <= 0) {
          waited += await rest(backOff(tries, random.fraction()), error, note)
        }
      }
    },
  }
}

const isBroken = (tried: Tried<unknown>): boolean =>
  'error' in tried && tried.setback?.kind === 'broken'

/** Another call has opened the breaker meanwhile. */
function whenOpen(error: unknown): null {
  if (error instanceof BrokenCircuitError) return null
  throw error
}

const later = (now: string, seconds: number): string =>
  new Date(Date.parse(now) + seconds * 1000).toISOString()

const failuresInARow = 5
const openSeconds = 60
const successesToClose = 2

/**
 * A circuit breaker: opens after five failures in a row; after a minute it lets one call through at
 * a time, and closes after two successes. It measures the minute with the monotonic clock:
 * cockatiel uses the wall clock, and one that is set back would leave it open.
 */
function createBreaker(clock: Pick<Clock, 'monotonic'>, isFailure: (result: unknown) => boolean) {
  let openUntil = 0
  const halfOpenAfter = {
    next(): IBackoff<unknown> {
      openUntil = clock.monotonic() + openSeconds
      return {
        next: halfOpenAfter.next,
        get duration() {
          return remaining() > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
        },
      }
    },
  }
  const remaining = (): number => Math.max(0, openUntil - clock.monotonic())
  const circuit = circuitBreaker(handleWhenResult(isFailure), {
    breaker: new ConsecutiveBreaker(failuresInARow),
    halfOpenAfter,
    halfOpenSampling: { calls: successesToClose, threshold: 0 },
  })
  // Cockatiel would send both probes at once.
  const oneAtATime = bulkhead(1, Number.POSITIVE_INFINITY)
  return {
    /** Seconds until the next probe; 0 unless the breaker is open. */
    remaining: () => (circuit.state === CircuitState.Open ? remaining() : 0),
    /** @throws BrokenCircuitError while it is open */
    execute: <T>(call: () => Promise<T>): Promise<T> =>
      circuit.state === CircuitState.Closed
        ? circuit.execute(call)
        : oneAtATime.execute(() => circuit.execute(call)),
  }
}
