import { errorCode } from '../../packages/files/files.ts'
import { ExecutorError } from '../core/domain/errors.ts'

/** Write errors that the disk or its administrator causes; all other system errors are our bugs. */
const ofDisk: ReadonlySet<string> = new Set([
  ...['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'EFBIG'],
])

/** Explains in words why the system refused to write; falls back to its own message. */
export const reasonOfDisk = (cause: unknown): string =>
  words[errorCode(cause) ?? ''] ?? (cause instanceof Error ? cause.message : String(cause))

const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a file is in the place of a folder',
  EEXIST: 'a file is in the place of a folder',
  EISDIR: 'a folder is in the place of a file',
}

/**
 * Turns a disk error into a set-up error.
 * @throws ExecutorError `disk_unwritable`
 */
export const explainDisk = <T>(act: () => Promise<T>): Promise<T> =>
  explain(act, 'disk_unwritable', (cause) => ofDisk.has(errorCode(cause) ?? ''))

/**
 * The same for a state, where every system error counts. @throws ExecutorError `state_unwritable`
 */
export const explainState = <T>(act: () => Promise<T>): Promise<T> =>
  explain(act, 'state_unwritable', () => true)

async function explain<T>(
  act: () => Promise<T>,
  code: 'disk_unwritable' | 'state_unwritable',
  isExpected: (cause: Error) => boolean,
): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    const isOfSystem = cause instanceof Error && 'syscall' in cause
    if (!isOfSystem || !isExpected(cause)) throw cause
    throw new ExecutorError(code, cause.message, { cause })
  }
}

/** Wraps a port so that its methods explain disk errors, except the synchronous `others`. */
export const explainingDisk = <Port extends object>(
  port: Port,
  others: readonly (keyof Port)[] = [],
): Port => explaining(port, explainDisk, others)

/** Wraps a port so that its methods fail with explained errors, except the synchronous `others`. */
export function explaining<Port extends object>(
  port: Port,
  explainIts: <T>(act: () => Promise<T>) => Promise<T>,
  others: readonly (keyof Port)[] = [],
): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function' || others.some((other) => other === name)) return member
      return (...given: unknown[]) => explainIts(() => Reflect.apply(member, target, given))
    },
  })
}
