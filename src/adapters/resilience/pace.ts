import type { Clock } from '../../core/ports.ts'

/** At most `most` calls in any `seconds`. */
export interface PaceLimit {
  readonly most: number
  readonly seconds: number
}

/** Books the next call and returns the seconds to wait before it. */
export type Pace = () => number

export function createPace(clock: Pick<Clock, 'monotonic'>, limits: readonly PaceLimit[]): Pace {
  const longest = Math.max(...limits.map(({ seconds }) => seconds))
  let booked: readonly number[] = []
  return () => {
    const now = clock.monotonic()
    booked = booked.filter((time) => time > now - longest)
    const earliest = limits.map(({ most, seconds }) => (booked.at(-most) ?? -longest) + seconds)
    const time = Math.max(now, ...earliest)
    booked = [...booked, time]
    return time - now
  }
}
