export type Deadline = ReturnType<typeof startDeadline>

/** Gives up a call that is silent for too long, or takes too long in all. */
export function startDeadline(
  { stallSeconds, timeoutSeconds }: Record<'stallSeconds' | 'timeoutSeconds', number>,
  run: AbortSignal,
) {
  const controller = new AbortController()
  let expired: string | null = null
  const expireAfter = (seconds: number, why: string) =>
    setTimeout(() => {
      expired ??= why
      controller.abort()
    }, seconds * 1000)
  const silence = expireAfter(stallSeconds, `nothing was heard for ${stallSeconds} seconds`)
  const end = expireAfter(
    timeoutSeconds,
    `the answer was not finished after ${timeoutSeconds} seconds`,
  )
  return {
    /** Aborted when time is up, or by the run. */
    signal: AbortSignal.any([run, controller.signal]),
    /** Silence counts from here. */
    heard: () => void silence.refresh(),
    /** What ran out, in words; `null` while nothing has. */
    expired: () => expired,
    stop() {
      clearTimeout(silence)
      clearTimeout(end)
    },
  }
}
