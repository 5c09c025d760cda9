import { Cron } from 'croner'
import { secondsBefore } from '../../core/domain/instant.ts'

/** Reads a cron expression of five fields; `null` if it has no such field, or there is no such time zone. */
export function readCron(cron: string, timezone = 'UTC'): Cron | null {
  if (!/^[\w*,/\- ]{9,100}$/.test(cron)) return null
  try {
    const times = new Cron(cron, { timezone, mode: '5-part', paused: true })
    // The time zone is not read before.
    times.nextRun()
    return times
  } catch {
    return null
  }
}

/** The last scheduled time that is not after this one. */
export function lastUntil(times: Cron, at: string): string | null {
  // `previousRuns` excludes the given time.
  return times.previousRuns(1, secondsBefore(at, -1))[0]?.toISOString() ?? null
}
