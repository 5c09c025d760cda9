import type { TimeLimits } from './speed.ts'

export type Deadline = ReturnType<typeof startDeadline>

/** Aborts a request after too long a silence, before the first piece of its answer or after it, or too long in total. */
export function startDeadline(limits: TimeLimits, run: AbortSignal) {
  const { firstSeconds, isFirstFixed, stallSeconds, totalSeconds } = limits
  const controller = new AbortController()
  let expired: { readonly why: string; readonly isSilence: boolean } | null = null
  const expireAfter = (seconds: number, why: string, isSilence: boolean) =>
    setTimeout(() => {
      expired ??= { why, isSilence }
      controller.abort()
    }, seconds * 1000)
  const expireInSilence = (seconds: number) =>
    expireAfter(seconds, `no data for ${seconds} seconds`, true)
  const firstUntil = performance.now() + firstSeconds * 1000
  let hasBegun = false
  let isStall = false
  let silence = expireInSilence(firstSeconds)
  const late = `the answer was incomplete after ${totalSeconds} seconds`
  const end = expireAfter(totalSeconds, late, false)
  const restart = () => {
    if (isStall) return void silence.refresh()
    clearTimeout(silence)
    isStall = true
    silence = expireInSilence(stallSeconds)
  }
  return {
    /** Aborts on timeout or when the run is cancelled. */
    signal: AbortSignal.any([run, controller.signal]),
    /** A sign of life: headers, a comment, a piece. Before the first piece it never shortens the time. */
    heard() {
      const isEarly = performance.now() + stallSeconds * 1000 < firstUntil
      if (hasBegun || !(isFirstFixed || isEarly)) restart()
    },
    /** The first piece has come: from now on, `stall-seconds` counts. */
    begun() {
      if (hasBegun) return
      hasBegun = true
      restart()
    },
    /** The expired limit; `null` before that. */
    expired: () => expired,
    stop() {
      clearTimeout(silence)
      clearTimeout(end)
    },
  }
}
