import {
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
  type IBackoff,
} from 'cockatiel'
import type { Clock } from '../../core/ports.ts'

const failuresInARow = 5
const openSeconds = 60
const successesToClose = 2

/** Keeps calls from a service that is down, and finds out by itself when it is back. */
export interface Breaker {
  /** Seconds until a call may try whether the service is back; 0 while calls go through. */
  remaining(): number
  /** @throws BrokenCircuitError while it is open */
  execute<T>(call: () => Promise<T>): Promise<T>
}

/**
 * Opens after five failures in a row; a minute later one call goes first, and when that and the next
 * one went well it is closed. How long a minute is, the monotonic clock says: cockatiel asks the wall
 * clock, and one that is set back would leave it open.
 */
export function createBreaker(
  clock: Pick<Clock, 'monotonic'>,
  isFailure: (result: unknown) => boolean,
): Breaker {
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
    remaining: () => (circuit.state === CircuitState.Open ? remaining() : 0),
    execute: (call) =>
      circuit.state === CircuitState.Closed
        ? circuit.execute(call)
        : oneAtATime.execute(() => circuit.execute(call)),
  }
}
