import { ExecutorError } from '../core/domain/errors.ts'

/** What a disk, or who looks after it, has against a write; other errors of the system are bugs of ours. */
const ofDisk: ReadonlySet<string> = new Set([
  ...['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'EFBIG'],
])

/**
 * The same, where what a disk refuses is a broken set-up.
 *
 * @throws ExecutorError `disk_unwritable`
 */
export async function explainDisk<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause && 'code' in cause)) throw cause
    if (!ofDisk.has(String(cause.code))) throw cause
    throw new ExecutorError('disk_unwritable', cause.message, { cause })
  }
}

/**
 * A port of which every asynchronous method explains what the disk refuses; `others` names the methods that wait for
 * nothing.
 */
export function explainingDisk<Port extends object>(
  port: Port,
  others: readonly (keyof Port)[] = [],
): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function' || others.some((other) => other === name)) return member
      return (...given: unknown[]) => explainDisk(() => Reflect.apply(member, target, given))
    },
  })
}
