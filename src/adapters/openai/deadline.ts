/** Gives up a call that is silent for too long, or takes too long in all. */
export interface Deadline {
  /** Aborted when time is up, or by the run. */
  readonly signal: AbortSignal
  /** Something was heard: silence counts from here. */
  heard(): void
  /** What ran out, in words; `null` while nothing has. */
  expired(): string | null
  stop(): void
}

export function startDeadline(
  seconds: { readonly stallSeconds: number; readonly timeoutSeconds: number },
  run: AbortSignal,
): Deadline {
  const controller = new AbortController()
  let expired: string | null = null
  const expire = (why: string) => () => {
    expired ??= why
    controller.abort()
  }
  const silence = setTimeout(
    expire(`nothing was heard for ${seconds.stallSeconds} seconds`),
    seconds.stallSeconds * 1000,
  )
  const end = setTimeout(
    expire(`the answer was not finished after ${seconds.timeoutSeconds} seconds`),
    seconds.timeoutSeconds * 1000,
  )
  return {
    signal: AbortSignal.any([run, controller.signal]),
    heard: () => void silence.refresh(),
    expired: () => expired,
    stop() {
      clearTimeout(silence)
      clearTimeout(end)
    },
  }
}
