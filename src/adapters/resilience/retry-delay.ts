/** Seconds; figures of the back-off for overload and network: base 1 s, factor 2, cap 60 s, jitter 0–25 %. */
const longestWait = 60

/** Seconds to wait before retry 1, 2, 3, …; `fraction` is a random number in [0, 1). */
export const backOff = (retry: number, fraction: number): number =>
  Math.min(longestWait, 2 ** (retry - 1)) * (1 + fraction / 4)

/** Seconds that a `Retry-After` header asks for, given as seconds or as a date; `null` when it makes no sense. */
export function readRetryAfter(header: string | null, now: string): number | null {
  if (header === null) return null
  const value = header.trim()
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value)
  const seconds = (Date.parse(value) - Date.parse(now)) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}
