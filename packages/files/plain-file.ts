/**
 * Files that others could replace with links, pipes and folders, which are never followed or read.
 */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

const { O_RDONLY, O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants

/** Fails for a link, and does not wait for a pipe. */
export const plainRead = O_RDONLY | O_NOFOLLOW | O_NONBLOCK

/** The system's error code such as `ENOENT`; `null` for other errors. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/** Reads a regular file; `null` for anything else, or if it is larger than `most`. */
export const readBytes = async (path: string, most: number): Promise<Buffer | null> =>
  useFile(await open(path, plainRead), async (file) => {
    const found = await file.stat()
    return found.isFile() && found.size <= most ? file.readFile() : null
  })

/** In bytes; larger files are never read as text. */
export const textSizeLimit = 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes the bytes exactly; `null` if they are too large, contain a NUL, or are not UTF-8. */
export function textOf(bytes: Buffer): string | null {
  if (bytes.length > textSizeLimit || bytes.includes(0)) return null
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

/** `text` is empty if the file is missing or unreadable: `problem` says why. */
export interface PlainText {
  readonly text: string
  readonly problem: Error | null
}

/** Reads a file; if it is larger than `most` bytes, nothing or only its end. */
export async function readPlain(
  path: string,
  most: number,
  ofMore: 'nothing' | 'end' = 'nothing',
): Promise<PlainText> {
  try {
    return await useFile(await open(path, plainRead), async (file) => {
      const found = await file.stat()
      if (!found.isFile()) throw new Error('it is not a file')
      if (found.size <= most) return { text: await file.readFile('utf8'), problem: null }
      if (ofMore === 'nothing') throw new Error(`it is larger than ${most / 1e6} MB`)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, found.size - most)
      return { text: buffer.toString('utf8', 0, bytesRead), problem: null }
    })
  } catch (problem) {
    if (!(problem instanceof Error)) throw problem
    return { text: '', problem: errorCode(problem) === 'ENOENT' ? null : problem }
  }
}

/** Appends to a file and syncs it, after truncating it to `end`. Returns its new size. */
export async function appendPlain(path: string, text: string, end?: number): Promise<number> {
  const opened = await open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600)
  return useFile(opened, async (file) => {
    if (end !== undefined) await file.truncate(end)
    await file.writeFile(text)
    await file.sync()
    return (end ?? 0) + Buffer.byteLength(text)
  })
}

/** Replaces a file atomically: a reader, or a power cut, sees the old text or the new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`
  try {
    await useFile(await open(temporary, 'wx', 0o600), async (file) => {
      await file.writeFile(text)
      await file.sync()
    })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncDirectory(dirname(path))
}

export async function useFile<T>(
  file: FileHandle,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

/** Makes a rename survive a power cut. */
async function syncDirectory(path: string): Promise<void> {
  await useFile(await open(path, 'r'), (directory) => directory.sync())
}
