export type Deadline = ReturnType<typeof startDeadline>

/** Aborts a request after too long a silence, or too long in total. */
export function startDeadline(
  { stallSeconds, timeoutSeconds }: Record<'stallSeconds' | 'timeoutSeconds', number>,
  run: AbortSignal,
) {
  const controller = new AbortController()
  let expired: { readonly why: string; readonly isSilence: boolean } | null = null
  const expireAfter = (seconds: number, why: string, isSilence: boolean) =>
    setTimeout(() => {
      expired ??= { why, isSilence }
      controller.abort()
    }, seconds * 1000)
  const silence = expireAfter(stallSeconds, `no data for ${stallSeconds} seconds`, true)
  const late = `the answer was incomplete after ${timeoutSeconds} seconds`
  const end = expireAfter(timeoutSeconds, late, false)
  return {
    /** Aborts on timeout or when the run is cancelled. */
    signal: AbortSignal.any([run, controller.signal]),
    /** Restarts the silence timer. */
    heard: () => void silence.refresh(),
    /** The expired limit; `null` before that. */
    expired: () => expired,
    stop() {
      clearTimeout(silence)
      clearTimeout(end)
    },
  }
}
