import type { Clock } from '../../core/ports.ts'

/** At most so many in any so many seconds. */
export interface PaceLimit {
  readonly most: number
  readonly seconds: number
}

/** Books the next one, and answers the seconds to wait before it. */
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
