import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/**
 * The references of a bare repository from its files, which takes no process: one file for each, or a
 * line of `packed-refs`. The single files first, for git packs before it deletes them.
 */
export async function readRefs(directory: string): Promise<ReadonlyMap<string, string>> {
  const refs = new Map<string, string>()
  const entries = await entriesIn(join(directory, 'refs'))
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      const sha = await textOf(path)
      // What points to another reference has no commit of its own.
      if (/^[0-9a-f]{40}\n$/.test(sha)) {
        refs.set(relative(directory, path).split(sep).join('/'), sha.trim())
      }
    }),
  )
  for (const line of (await textOf(join(directory, 'packed-refs'))).split('\n')) {
    const [, sha, ref] = /^([0-9a-f]{40}) (\S+)$/.exec(line) ?? []
    if (sha !== undefined && ref !== undefined && !refs.has(ref)) refs.set(ref, sha)
  }
  return new Map([...refs].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** git removes a folder with its last reference, perhaps while it is listed. */
async function entriesIn(folder: string): Promise<readonly Dirent[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await readdir(folder, { recursive: true, withFileTypes: true })
    } catch (error) {
      if (!isGone(error) || tries === 10) throw error
    }
  }
}

/** A file's text; nothing when it was deleted meanwhile. */
async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isGone(error)) return ''
    throw error
  }
}
