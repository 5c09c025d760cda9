import { createHash } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { lstat, mkdtemp, readdir } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from '../text/text.ts'
import { removeFolder } from './lent-folder.ts'
import { errorCode } from './plain-file.ts'

/** Creates a temporary folder for some work and removes it afterwards. */
export async function inTemporaryFolder<T>(
  name: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await makeTemporaryFolder(name)
  try {
    return await work(folder)
  } finally {
    await removeTemporaryFolder(folder)
  }
}

/** Never fails: what resists, as where a test still writes, is left to a later process. */
export const removeTemporaryFolder = (folder: string): Promise<void> =>
  removeFolder(folder).catch(() => undefined)

/** Creates a private folder in the system's temporary one; its name says whose it is. */
export async function makeTemporaryFolder(name: string): Promise<string> {
  await removeLeftFolders()
  return mkdtemp(join(tmpdir(), `executor-${name}-${machine()}-${process.pid}-`))
}

const looked = new Map<string, Promise<void>>()

/** Removes the temporary folders of dead processes, once in a process: only killed ones leave any. */
export async function removeLeftFolders(): Promise<void> {
  const root = tmpdir()
  const look = looked.get(root) ?? removeAbandoned(root, ownerOf)
  looked.set(root, look)
  await look
}

function ownerOf(name: string): number | null {
  const [, place, pid] = /^executor-[a-z-]+-([\da-f]{8})-(\d+)-\w{6}$/.exec(name) ?? []
  return pid === undefined || place !== machine() ? null : Number(pid)
}

/** Containers may share the folder and even the host's name, and give the same ids to other processes. */
const machine = once(() => {
  const hash = createHash('sha256').update(`${hostname()}\n${processNamespace()}`)
  return hash.digest('hex').slice(0, 8)
})

/** Linux alone has such namespaces. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

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
