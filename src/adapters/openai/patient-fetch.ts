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
