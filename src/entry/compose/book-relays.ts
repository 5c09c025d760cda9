import type { OpenRelay, Relay } from '../../core/ports/relay.ts'

/** A relay whose open sessions can be ended from outside. */
export interface BookedRelay {
  readonly relay: Relay
  /** Ends open relays and waits until they are booked: a cancel leaves the step that opened them to itself. */
  close(): Promise<void>
}

export function bookRelays(inner: Relay): BookedRelay {
  const sessions = new Set<OpenRelay>()
  return {
    relay: {
      async open(model, admit) {
        const opened = await inner.open(model, admit)
        sessions.add(opened)
        return {
          ...opened,
          async close() {
            await opened.close()
            sessions.delete(opened)
          },
        }
      },
    },
    async close() {
      await Promise.all([...sessions].map((each) => each.close()))
    },
  }
}
