/** What killed processes left: each entry's name holds the id of its process. */
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { removeFolder } from './lent-folder.ts'
import { errorCode } from './plain-file.ts'

export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    return errorCode(error) === 'EPERM'
  }
}

/**
 * Removes this user's entries of dead processes, as far as it can.
 *
 * @param processOf reads the process id in a name; `null` for any other name
 */
export async function removeAbandoned(
  root: string,
  processOf: (name: string) => number | null,
): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    const pid = processOf(name)
    if (pid === null || pid === process.pid || processExists(pid)) continue
    const path = join(root, name)
    const found = await lstat(path).catch(() => null)
    // Another process may be removing it, too.
    if (found?.isDirectory() && isOurs(found)) await removeFolder(path).catch(() => {})
  }
}

/** Windows has no such ids. */
const isOurs = ({ uid }: { readonly uid: number }): boolean =>
  process.getuid === undefined || uid === process.getuid()
