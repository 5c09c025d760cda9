import type { Sandbox, SandboxRequest } from '../../../packages/sandbox/sandbox.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Ports } from '../../core/ports.ts'
import type { Session } from './compose.ts'

/**
 * The session in a process that outlives it. A cancel leaves the step that it interrupts to itself: the CLI exits, but
 * here the step must end as well. `close` stops its commands, lets it begin no call except to the store,
 * which remembers what was done, and waits for the calls that have begun.
 */
export function stopCalls(session: Session): Session {
  const over = new AbortController()
  const { signal } = over
  const calls = trackCalls(signal)
  const { model, person, sandbox, workspace, forge, syntax, memory, routes, store, clock } =
    session.ports
  const ports: Ports = {
    ...session.ports,
    // Nothing outside depends on an answer that comes too late.
    model: {
      ...model,
      complete: (request) => calls.begin(() => orAborted(model.complete(request), signal)),
    },
    person: {
      get present() {
        return person.present
      },
      ask: (question) => calls.begin(() => orAborted(person.ask(question), signal)),
    },
    sandbox: calls.of(stopCommands(sandbox, signal)),
    // What ends a run removes its folders.
    workspace: calls.of(workspace, ['discard']),
    forge: calls.of(forge),
    syntax: calls.of(syntax),
    memory: calls.of(memory),
    routes: calls.of(routes),
    store: calls.of(store, Object.keys(store)),
    clock: stopSleep(clock, signal),
  }
  return {
    ...session,
    ports,
    async close() {
      over.abort(new Error('The run is over.'))
      await calls.settled()
      await session.close()
    },
  }
}

/** The sandbox whose commands end at the signal. */
export function stopCommands(sandbox: Sandbox, signal: AbortSignal): Sandbox {
  const stops = (request: SandboxRequest): SandboxRequest => ({
    ...request,
    signal: anyOf(request.signal, signal),
  })
  return {
    ...sandbox,
    run: (request) => sandbox.run(stops(request)),
    runReaching: (request, reach) => sandbox.runReaching(stops(request), reach),
    prepare: (request) => sandbox.prepare(stops(request)),
  }
}

function trackCalls(signal: AbortSignal) {
  const pending = new Set<Promise<unknown>>()
  const track = (result: unknown): void => {
    if (!(result instanceof Promise)) return
    const settled = result.then(
      () => {},
      () => {},
    )
    pending.add(settled)
    void settled.then(() => pending.delete(settled))
  }
  const begin = <Result>(work: () => Result, isOpen = false): Result => {
    if (!isOpen) signal.throwIfAborted()
    const result = work()
    track(result)
    return result
  }
  return {
    begin,
    /** The port with each call tracked; only `open` methods can be called after the signal. */
    of<Port extends object>(port: Port, open: readonly string[] = []): Port {
      const members = Object.entries(port).map(([name, member]: [string, unknown]) =>
        typeof member === 'function'
          ? [
              name,
              (...given: readonly unknown[]): unknown =>
                begin(() => Reflect.apply(member, port, given), open.includes(name)),
            ]
          : [name, member],
      )
      return Object.fromEntries(members) as Port
    },
    /** A call that ends lets its step begin another one: to the store, which remembers what was done. */
    async settled(): Promise<void> {
      do {
        await Promise.all(pending)
        await new Promise((resolve) => setImmediate(resolve))
      } while (pending.size > 0)
    },
  }
}

const stopSleep = (clock: Clock, signal: AbortSignal): Clock => ({
  ...clock,
  sleep: (seconds, own) => clock.sleep(seconds, anyOf(own, signal)),
})

const anyOf = (own: AbortSignal | undefined, signal: AbortSignal): AbortSignal =>
  own === undefined ? signal : AbortSignal.any([own, signal])

/** The result, or a rejection as soon as the signal is aborted. */
async function orAborted<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([result, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
