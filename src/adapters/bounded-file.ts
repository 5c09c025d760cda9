import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

export interface BoundedFile {
  write(line: string): void
  close(): void
}

/**
 * A log file of limited size. When a line would exceed `mostBytes`, the file replaces `previous`
 * and a new file starts. The first write opens it, and each line reaches the operating system at
 * once. A write error ends logging: a log must not stop the work.
 */
export function openBoundedFile(options: {
  readonly path: string
  readonly previous: string
  readonly mostBytes: number
}): BoundedFile {
  const { path, previous, mostBytes } = options
  let file: { readonly handle: number; size: number } | null = null
  let isBroken = false
  const open = () => {
    mkdirSync(dirname(path), { recursive: true })
    const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants
    const handle = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
    return { handle, size: fstatSync(handle).size }
  }
  const close = () => {
    if (file !== null) closeSync(file.handle)
    file = null
  }
  const write = (line: string) => {
    file ??= open()
    const bytes = Buffer.byteLength(line)
    if (file.size > 0 && file.size + bytes > mostBytes) {
      close()
      renameSync(path, previous)
      file = open()
    }
    writeSync(file.handle, line)
    file.size += bytes
  }
  return {
    write(line) {
      if (isBroken) return
      try {
        write(line)
      } catch {
        isBroken = true
      }
    },
    close() {
      isBroken = true
      try {
        close()
      } catch {
        // The log is lost anyway.
      }
    },
  }
}
