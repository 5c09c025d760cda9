import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** How a file is called before it is renamed into its place. */
const unfinished = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Seconds after which whoever wanted the lock has it, or has given up. */
const wantingSeconds = 60

/**
 * Takes away what a kill left of files that were written beside their place. For who holds the lock: nobody
 * else writes here, but for those who want the lock, too.
 */
export async function dropTorn(directory: string): Promise<void> {
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  for (const name of names.filter((each) => unfinished.test(each))) {
    const path = join(directory, name)
    if (name.startsWith('lock.') && (await ageOf(path)) < wantingSeconds) continue
    await rm(path, { force: true })
  }
}

async function ageOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  return found === null ? 0 : (Date.now() - found.mtimeMs) / 1000
}

/** Removes the `.jsonl` files of a folder that nothing was added to since then, in milliseconds. */
export async function dropOlder(folder: string, oldest: number): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((each) => each.endsWith('.jsonl'))) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found?.isFile() && found.mtimeMs < oldest) await rm(path, { force: true })
  }
}
