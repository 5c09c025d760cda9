import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { errorCode, plainRead } from '../plain-file.ts'

/** What a file had from a place on: whole lines, and where they end. */
interface LinesRead {
  readonly lines: readonly string[]
  /** Bytes. What follows is a line that is not finished yet. */
  readonly end: number
  /** Tells the file from one that was put in its place. */
  readonly inode: string
}

interface LineSource {
  readonly inode: string
  readonly size: number
}

/** Bytes read at once, so that a file of any size is read in this much memory. */
const piece = 4_000_000

/** A longer line is none of ours: the longest answers are some hundred thousand bytes. */
const longestLine = 16_000_000

/**
 * The lines that a file has more than when it was read last, in pieces; a file that was replaced is
 * read from its beginning. Nothing where there is no such file, or it is not a plain one.
 */
export function* readLines(path: string, before: LineSource): Generator<LinesRead> {
  const file = openPlain(path)
  if (file === null) return
  try {
    const stat = fstatSync(file, { bigint: true })
    if (!stat.isFile()) return
    const inode = String(stat.ino)
    const size = Number(stat.size)
    let at = inode === before.inode && size >= before.size ? before.size : 0
    let rest: Buffer[] = []
    let held = 0
    while (at + held < size) {
      const buffer = Buffer.alloc(Math.min(piece, size - at - held))
      const bytesRead = readSync(file, buffer, 0, buffer.length, at + held)
      if (bytesRead === 0) return
      const bytes = buffer.subarray(0, bytesRead)
      const last = bytes.lastIndexOf(10)
      if (last === -1) {
        // Of a line without an end only its length is remembered.
        rest = held + bytesRead > longestLine ? [] : [...rest, bytes]
        held += bytesRead
        continue
      }
      const whole = Buffer.concat([...rest, bytes.subarray(0, last)])
      at += held + last + 1
      rest = []
      held = 0
      yield { lines: whole.toString('utf8').split('\n'), end: at, inode }
    }
  } finally {
    closeSync(file)
  }
}

function openPlain(path: string): number | null {
  try {
    return openSync(path, plainRead)
  } catch (error) {
    if (errorCode(error) !== null) return null
    throw error
  }
}
