import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'

/** Receives lines for another program. It never throws, and never makes the writer wait. */
export interface LineStream {
  write(line: string): void
  /** Waits a moment for a slow reader to take the remaining lines. */
  close(): Promise<void>
}

/** The characters that wait for a slow reader; with more, the stream ends. */
const mostWaiting = 8_000_000

/** Milliseconds that `close` waits for a reader. */
const patience = 2000

/**
 * Appends lines to a file, a named pipe or a device; `null` means standard output. `broken` is called once when no more
 * lines can be written, with the reason: a full disk, a reader that closed its end or does not read.
 *
 * @throws the system's error for a missing folder, a missing permission, or a named pipe that no one reads
 */
export function openLineStream(path: string | null, broken: (reason: string) => void): LineStream {
  if (path === null) return isPipe(1) ? intoPipe(process.stdout, broken) : intoFile(1, broken)
  const { O_WRONLY, O_CREAT, O_APPEND, O_NONBLOCK } = constants
  const file = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK, 0o600)
  if (isPipe(file)) return intoPipe(new Socket({ fd: file, readable: false }), broken)
  const lines = intoFile(file, broken)
  if (endsTorn(path, file)) lines.write('\n')
  return { ...lines, close: async () => closeSync(file) }
}

function isPipe(file: number): boolean {
  const found = fstatSync(file)
  return found.isFIFO() || found.isSocket()
}

/** True when a full disk or a kill left half a line. */
function endsTorn(path: string, file: number): boolean {
  const { size } = fstatSync(file)
  if (!fstatSync(file).isFile() || size === 0) return false
  const reader = openSync(path, constants.O_RDONLY)
  const last = Buffer.alloc(1)
  readSync(reader, last, 0, 1, size - 1)
  closeSync(reader)
  return last.toString() !== '\n'
}

function intoFile(file: number, broken: (reason: string) => void): LineStream {
  let isBroken = false
  return {
    write(line) {
      if (isBroken) return
      try {
        writeAll(file, Buffer.from(line))
      } catch (error) {
        isBroken = true
        broken(reasonOf(error))
      }
    },
    close: async () => {},
  }
}

/** A full disk can take the beginning of a line. */
function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

function intoPipe(pipe: Socket | NodeJS.WriteStream, broken: (reason: string) => void): LineStream {
  let isBroken = false
  const end = (reason: string) => {
    if (!isBroken) broken(reason)
    isBroken = true
  }
  pipe.on('error', (error) => end(reasonOf(error)))
  return {
    write(line) {
      if (isBroken) return
      if (pipe.writableLength > mostWaiting) end('its reader does not read')
      else pipe.write(line)
    },
    async close() {
      if (!isBroken && pipe.writableLength > 0) await drained(pipe)
      if (pipe !== process.stdout) pipe.destroy()
    },
  }
}

function drained(pipe: Socket | NodeJS.WriteStream): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting = setTimeout(resolve, patience)
  for (const event of ['drain', 'error', 'close'] as const) pipe.once(event, () => resolve())
  return promise.finally(() => clearTimeout(waiting))
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)
