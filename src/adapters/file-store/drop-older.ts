import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes the `.jsonl` files of a folder that nothing was added to since then, in milliseconds. */
export async function dropOlder(folder: string, oldest: number): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((each) => each.endsWith('.jsonl'))) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found?.isFile() && found.mtimeMs < oldest) await rm(path, { force: true })
  }
}
