import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { errorCode } from '../../../packages/files/files.ts'
import { reasonOfDisk } from '../../adapters/explain-disk.ts'
import { findRepository } from '../../adapters/user-checkout.ts'
import { ExecutorError, isError } from '../../core/domain/errors.ts'
import type { Terminal } from './terminal.ts'

/**
 * A file's text, or standard input for `-`. Where there is no such file, the hint follows.
 *
 * @throws ExecutorError `file_unreadable`
 */
export async function readInput(
  file: string,
  terminal: Terminal,
  hint: () => string | Promise<string> = () => '',
): Promise<string> {
  if (file === '-') return text(process.stdin)
  try {
    return await readFile(resolve(terminal.directory, file), 'utf8')
  } catch (cause) {
    throw unreadable(file, cause, errorCode(cause) === 'ENOENT' ? await hint() : '')
  }
}

/**
 * A file's bytes, or standard input for `-`, up to a limit.
 *
 * @throws ExecutorError `file_unreadable`
 */
export async function readInputBytes(
  file: string,
  most: number,
  terminal: Terminal,
): Promise<Buffer> {
  const stream = file === '-' ? process.stdin : createReadStream(resolve(terminal.directory, file))
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of stream) {
      size += piece.length
      if (size > most) break
      pieces.push(Buffer.from(piece))
    }
  } catch (cause) {
    throw unreadable(file, cause)
  }
  if (size <= most) return Buffer.concat(pieces)
  throw new ExecutorError('file_unreadable', `${file}: it is larger than ${most / 1e6} MB`)
}

function unreadable(file: string, cause: unknown, hint = ''): ExecutorError {
  const why = errorCode(cause) === 'ENOENT' ? 'there is no such file' : reasonOfDisk(cause)
  return new ExecutorError('file_unreadable', `${file}: ${why}${hint}`, { cause })
}

export async function findRoot(directory: string): Promise<string | null> {
  try {
    return (await findRepository(directory)).root
  } catch (error) {
    if (isError(error, 'not_a_repository', 'git_missing')) return null
    throw error
  }
}
