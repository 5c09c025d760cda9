import type { Clock } from '../../core/ports/clock.ts'
import type { Pace, PaceLimit } from '../../core/ports/pace.ts'

/** The pace of one process, in its memory. */
export function createPace(clock: Pick<Clock, 'monotonic'>, limits: readonly PaceLimit[]): Pace {
  const longest = Math.max(...limits.map(({ seconds }) => seconds))
  let booked: readonly number[] = []
  return async (patience) => {
    const now = clock.monotonic()
    booked = booked.filter((time) => time > now - longest)
    const earliest = limits.map(({ most, seconds }) => (booked.at(-most) ?? -longest) + seconds)
    const time = Math.max(now, ...earliest)
    if (time - now <= patience) booked = [...booked, time]
    return time - now
  }
}
