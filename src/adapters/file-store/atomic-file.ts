import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Replaces a file whole: a reader, or a power cut, sees the old text or the new one. */
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

/** Makes a renaming outlast a power cut. */
async function syncDirectory(path: string): Promise<void> {
  await useFile(await open(path, 'r'), (directory) => directory.sync())
}
