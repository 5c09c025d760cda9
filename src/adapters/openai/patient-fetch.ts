import type { TimeLimits } from './speed.ts'

/**
 * Node's `fetch` without its own limits: it would give up a request after 300 seconds without headers, and an answer
 * after 300 seconds between two pieces. A slow model needs longer, and our deadline ends both anyway.
 */
export const patientFetch: typeof fetch = (input, given) => {
  const init = given ?? {}
  // Loads the client, which sets its dispatcher.
  void globalThis.Headers
  if (!isDispatcher(sharedDispatcher())) return fetch(input, init)
  // Of a dispatcher, `fetch` calls this method only.
  return fetch(input, { ...init, dispatcher: dispatcher as never })
}

interface Dispatcher {
  dispatch(options: object, handler: unknown): boolean
}

/** The symbol by which Node and the package `undici` share the dispatcher: proxies and pools stay as they are. */
const shared = Symbol.for('undici.globalDispatcher.1')

const sharedDispatcher = (): unknown => Reflect.get(globalThis, shared)

const isDispatcher = (value: unknown): value is Dispatcher =>
  typeof value === 'object' && value !== null && 'dispatch' in value

const dispatcher: Dispatcher = {
  dispatch(options, handler) {
    const own = sharedDispatcher()
    if (!isDispatcher(own)) throw new Error('The dispatcher of fetch is gone.')
    return own.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler)
  },
}

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
