/** In seconds. Back-off for overload and network: base 1 s, factor 2, cap 60 s, jitter 0–25 %. */
const longestWait = 60

/** Seconds to wait before retry 1, 2, 3, …; `fraction` is a random number in [0, 1). */
export const backOff = (retry: number, fraction: number): number =>
  Math.min(longestWait, 2 ** (retry - 1)) * (1 + fraction / 4)

/** Parses a `Retry-After` header, in seconds or as a date, into seconds; `null` if unreadable. */
export function readRetryAfter(header: string | null, now: string): number | null {
  if (header === null) return null
  const value = header.trim()
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value)
  const seconds = (Date.parse(value) - Date.parse(now)) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}
