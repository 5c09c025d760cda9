import { ExecutorError } from '../../core/domain/errors.ts'

/** One after the other, in the order they were asked for, however each ends. */
export function takingTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}

/** What the file system has against it, as an error that says what to do. */
export async function explained<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause) {
      throw new ExecutorError('state_unwritable', cause.message, { cause })
    }
    throw cause
  }
}
