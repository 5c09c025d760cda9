import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeFolder } from './lent-folder.ts'

/** Creates a temporary folder for some work and removes it afterwards. */
export async function inTemporaryFolder<T>(
  name: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `executor-${name}-`))
  try {
    return await work(folder)
  } finally {
    await removeFolder(folder)
  }
}
