/**
 * Folders that code which is not ours could write. Whatever stands below one is looked at anew each time: nothing
 * there is reached, read, shown, measured or removed by way of a symlink that leads elsewhere.
 */
import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { chmod, lstat, mkdir, readdir, realpath, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { errorCode, readBytes, textOf, textSizeLimit } from './plain-file.ts'

export async function lstatOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}

/** Both absolute and without `..`. */
export const isInside = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep)

/** The absolute path of something in the folder, there or not; `null` when a link or `..` leads elsewhere. */
export async function placeIn(folder: string, path: string): Promise<string | null> {
  const place = resolve(folder, path)
  if (!isInside(place, folder)) return null
  const way = await wayTo(folder, relative(folder, place))
  const isLink = way.status === 'open' && (await lstatOrNull(place))?.isSymbolicLink()
  return way.status === 'blocked' || isLink ? null : place
}

/**
 * Where something in the folder is once its links are followed; `null` when they lead out of it, or nowhere, and where
 * the folder itself is a link by now.
 */
export async function resolveIn(folder: string, path: string): Promise<string | null> {
  if ((await lstatOrNull(folder))?.isSymbolicLink()) return null
  const [root, place] = await Promise.all(
    [folder, resolve(folder, path)].map((each) => realpath(each).catch(() => null)),
  )
  return root && place && isInside(place, root) ? place : null
}

/** What stands in the way of a path's parent directories; `missing` names the first that is not there. */
export type PathState =
  | { readonly status: 'open' }
  | { readonly status: 'missing'; readonly directory: string }
  | { readonly status: 'blocked'; readonly reason: string }

/** Looks at every directory above `path`, the folder itself first. */
export async function wayTo(folder: string, path: string): Promise<PathState> {
  const parents = path.split('/').slice(0, -1)
  for (let depth = 0; depth <= parents.length; depth++) {
    const shown = parents.slice(0, depth).join('/')
    const directory = join(folder, shown)
    const found = await lstatOrNull(directory)
    if (found === null) return { status: 'missing', directory }
    if (found.isSymbolicLink()) return { status: 'blocked', reason: `${shown} is a symlink` }
    if (!found.isDirectory()) return { status: 'blocked', reason: `${shown} is not a directory` }
  }
  return { status: 'open' }
}

/** Makes the missing directories above `path`; answers those it made, outermost first. */
export async function makeWay(
  folder: string,
  path: string,
  made: (directory: string) => void,
): Promise<string | null> {
  for (;;) {
    const way = await wayTo(folder, path)
    if (way.status === 'open') return null
    if (way.status === 'blocked') return way.reason
    if (way.directory === join(folder)) return 'the folder is gone'
    await mkdir(way.directory)
    made(way.directory)
  }
}

/** The bytes of a regular file, or `null` when there is none or it is larger than a text may be. */
export async function readRegular(folder: string, path: string): Promise<Buffer | null> {
  if (pathProblem(path) !== null || (await wayTo(folder, path)).status !== 'open') return null
  const full = join(folder, path)
  return (await lstatOrNull(full))?.isFile() ? readBytes(full, textSizeLimit) : null
}

/** The texts at `paths` that are there and are texts, by path. */
export function readFolder(
  folder: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return textsAt(paths, async (path) => {
    const bytes = await readRegular(folder, path)
    return bytes === null ? null : textOf(bytes)
  })
}

/** Bytes of one file that is taken out. */
const takenLimit = 64 * 1024 * 1024

/** The texts of the plain files at `paths`, by path. Whatever stands at a path is removed. */
export function takeOut(
  folder: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return textsAt(paths, async (path) => {
    const place = await placeIn(folder, path).catch(() => null)
    const bytes = place === null ? null : await readBytes(place, takenLimit).catch(() => null)
    await removeIn(folder, path)
    return bytes === null ? null : bytes.toString('utf8')
  })
}

async function textsAt(
  paths: readonly string[],
  read: (path: string) => Promise<string | null>,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const path of paths) {
    const text = await read(path)
    if (text !== null) texts.set(path, text)
  }
  return texts
}

/** Removes what stands there with all below it, a link itself; nothing where the way leads elsewhere by now. */
export async function removeIn(folder: string, path: string): Promise<void> {
  const parent = await placeIn(folder, dirname(path))
  const place = join(parent ?? folder, basename(path))
  if (parent !== null && place !== folder) await removeFolder(place)
}

/** Removes a link, an empty file or an empty directory; whatever else is there by now stays. */
export async function removePlaceholder(folder: string, path: string): Promise<void> {
  const parent = await placeIn(folder, dirname(path))
  if (parent === null) return
  const place = join(parent, basename(path))
  const found = await lstatOrNull(place)
  if (found?.isDirectory()) await rmdir(place).catch(() => undefined)
  else if (found?.isSymbolicLink() || found?.size === 0) await unlink(place)
}

/**
 * Removes a whole folder, if it is there: also where a test took away the right to remove, or went deeper than one
 * path may lead.
 */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch (error) {
    if (!['EACCES', 'EPERM', tooLong].includes(errorCode(error) ?? '')) throw error
    await makeReachable(folder)
    await rm(folder, { recursive: true, force: true })
  }
}

const tooLong = 'ENAMETOOLONG'

/** With one more name, paths of this many characters are still within what a system takes (4,096 bytes on Linux). */
const longestPath = 800

/** Opens every directory, and brings near what lies too deep. */
async function makeReachable(folder: string): Promise<void> {
  const waiting = [folder]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (!(await lstat(path)).isDirectory()) continue
    await chmod(path, 0o700)
    for (const name of await readdir(path)) {
      const below = join(path, name)
      const near = below.length > longestPath ? join(folder, `.near-${randomUUID()}`) : below
      if (near !== below) await rename(below, near)
      waiting.push(near)
    }
  }
}

/** What a folder holds; `isWhole` is false where paths were too long to look at. */
export interface FolderSize {
  readonly bytes: number
  readonly entries: number
  readonly isWhole: boolean
}

/**
 * Bytes on the disk of everything in a folder, and how many entries it has; no more is looked at than `most` entries
 * and a directory. What vanishes while we look counts for nothing.
 */
export async function measureFolder(
  folder: string,
  most: number,
  isStopped: () => boolean,
): Promise<FolderSize> {
  const root = await realpath(folder)
  const waiting = [root]
  let [bytes, entries, isWhole] = [0, 0, true]
  const sizeOf = async (place: string): Promise<number> => {
    const found = await lstatOrNull(place).catch(() => null)
    return found?.isFile() ? found.blocks * 512 : 0
  }
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const real = await realpath(place).catch(errorCode)
    if (real === tooLong) isWhole = false
    if (real !== place) continue
    const found = await readdir(place, { withFileTypes: true }).catch(() => [])
    entries += found.length
    if (isStopped() || entries > most) break
    const below = found.map((entry) => ({ entry, path: join(real, entry.name) }))
    for (const { entry, path } of below) if (entry.isDirectory()) waiting.push(path)
    const files = below.filter(({ entry }) => entry.isFile())
    for (const size of await Promise.all(files.map(({ path }) => sizeOf(path)))) bytes += size
  }
  return { bytes, entries, isWhole }
}

/** What HFS+ ignores in a name; from git's `utf8.c`. */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/**
 * Why nothing may be written at this path, or `null`. The second gate for paths: `safety` has judged them before, git
 * judges them after. Here is only what must hold for the write itself to stay inside the folder and out of any `.git`.
 */
export function pathProblem(path: string): string | null {
  if (path === '') return 'the path is empty'
  if (path.includes('\0')) return 'the path holds a NUL'
  if (path.startsWith('/')) return 'the path is absolute'
  const parts = path.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    return 'the path is not in its plain form'
  }
  if (parts.some(isGitDirectory)) return 'the path leads into a .git directory'
  return null
}

/** `.git` as Linux, macOS and Windows would read it. */
function isGitDirectory(part: string): boolean {
  const name = part
    .replace(ignorable, '')
    .replace(/[:\\].*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase()
  return name === '.git' || name === 'git~1'
}
