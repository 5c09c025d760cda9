import type { Session } from '../compose/compose.ts'
import type { Terminal } from './terminal.ts'

/**
 * Runs until the work is done or the person (or the system) asks it to stop. The first signal lets the work end itself;
 * the second exits at once.
 *
 * @param stopping what the first signal does, as a sentence
 */
export async function untilInterrupted<Result>(
  terminal: Terminal,
  work: (signal: AbortSignal) => Promise<Result>,
  stopping = 'Saving the state, then stopping.',
): Promise<Result> {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(4)
    terminal.say(`\n${stopping} Press Ctrl-C again to stop at once.`)
    controller.abort(new Error('interrupted'))
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  try {
    const result = await work(controller.signal)
    // Interrupted work may still be running; exiting ends it.
    if (controller.signal.aborted) process.exit(typeof result === 'number' ? result : 4)
    return result
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** The same in a session, which it closes at the end. */
export const inSession = <Result>(
  terminal: Terminal,
  open: (signal: AbortSignal) => Promise<Session>,
  work: (session: Session, signal: AbortSignal) => Promise<Result>,
): Promise<Result> =>
  untilInterrupted(terminal, async (signal) => {
    const session = await open(signal)
    try {
      return await work(session, signal)
    } finally {
      await session.close()
    }
  })
