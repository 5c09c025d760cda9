/** Journals of earlier runs as the repository keeps them, in `.executor/history/`: the index reads them. */
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../plain-file.ts'
import { makeDirectory } from './state-files.ts'

export const historyFolder = 'history'

/** Writes those that are not there in this length: they only grow. `files` by name, `2026-01.jsonl`. */
export async function restoreHistory(
  directory: string,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  if (files.size === 0) return
  const folder = join(directory, historyFolder)
  await makeDirectory(directory)
  await makeDirectory(folder)
  for (const [name, text] of files) {
    const path = join(folder, name)
    const found = await lstat(path).catch(() => null)
    const isThere = found?.isFile() && found.size === Buffer.byteLength(text)
    if (!isThere) await replaceFile(path, text)
  }
}
