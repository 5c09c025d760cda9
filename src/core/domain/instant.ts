// biome-ignore lint/style/noRestrictedGlobals: given times are read and written; the clock is not asked
const Calendar = Date

/** Seconds since 1970 of an ISO 8601 time in UTC (`2026-01-31T23:59:59Z`); `null` for any other text. */
export function secondsOf(time: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(time)) return null
  const milliseconds = Calendar.parse(time)
  return Number.isNaN(milliseconds) ? null : milliseconds / 1000
}

/** True when both are times and the first is earlier; false in doubt. */
export function isBefore(time: string, other: string): boolean {
  const [first, second] = [secondsOf(time), secondsOf(other)]
  return first !== null && second !== null && first < second
}

/** The time this many seconds before another one, to the second; returns anything but a time unchanged. */
export function secondsBefore(time: string, seconds: number): string {
  const from = secondsOf(time)
  if (from === null) return time
  return new Calendar((from - seconds) * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
}
