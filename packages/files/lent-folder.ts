/**
 * Folders that foreign code could write to. Every access checks the path again: nothing is read,
 * shown, measured or removed through a symlink that leads elsewhere.
 */
import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { chmod, lstat, mkdir, readdir, realpath, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { errorCode, readBytes, textOf, textSizeLimit } from './plain-file.ts'

export async function lstatOrNull(path: string | Buffer): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}

/** Both paths must be absolute, without `..`. */
export const isInside = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep)

/** Returns the absolute path of an entry, or `null` if a link or `..` leads elsewhere. */
export async function placeIn(folder: string, path: string): Promise<string | null> {
  const place = resolve(folder, path)
  if (!isInside(place, folder)) return null
  const way = await wayTo(folder, relative(folder, place))
  const isLink = way.status === 'open' && (await lstatOrNull(place))?.isSymbolicLink()
  return way.status === 'blocked' || isLink ? null : place
}

/** Resolves an entry's links; `null` if they leave the folder, or if the folder is a link. */
export async function resolveIn(folder: string, path: string): Promise<string | null> {
  if ((await lstatOrNull(folder))?.isSymbolicLink()) return null
  const [root, place] = await Promise.all(
    [folder, resolve(folder, path)].map((each) => realpath(each).catch(() => null)),
  )
  return root && place && isInside(place, root) ? place : null
}

/** The state of a path's parent directories; `missing` names the first one that does not exist. */
export type PathState =
  | { readonly status: 'open' }
  | { readonly status: 'missing'; readonly directory: string }
  | { readonly status: 'blocked'; readonly reason: string }

/** Checks every directory above `path`, starting with the folder itself. */
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

/** Creates missing directories above `path` and reports them to `made`; returns why it cannot. */
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

/** Reads a regular file; `null` if there is none or it is larger than a text may be. */
export async function readRegular(folder: string, path: string): Promise<Buffer | null> {
  if (pathProblem(path) !== null || (await wayTo(folder, path)).status !== 'open') return null
  const full = join(folder, path)
  return (await lstatOrNull(full))?.isFile() ? readBytes(full, textSizeLimit) : null
}

/** Reads the text files among `paths`. */
export const readFolder = (
  folder: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  textsAt(paths, async (path) => {
    const bytes = await readRegular(folder, path)
    return bytes === null ? null : textOf(bytes)
  })

/** In bytes, per file. */
const takenLimit = 64 * 1024 * 1024

/** Reads the plain files at `paths` as texts, and removes every entry at these paths; one that resists counts as none. */
export function takeOut(
  folder: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return textsAt(paths, async (path) => {
    const place = await placeIn(folder, path).catch(() => null)
    const bytes = place === null ? null : await readBytes(place, takenLimit).catch(() => null)
    // A text that resists would be read again as that of a later run.
    const isTaken = await removeIn(folder, path).then(
      () => true,
      () => false,
    )
    return bytes === null || !isTaken ? null : bytes.toString('utf8')
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

/** Removes an entry (a link itself) with all below it, unless the path now leads elsewhere. */
export async function removeIn(folder: string, path: string): Promise<void> {
  const parent = await placeIn(folder, dirname(path))
  const place = join(parent ?? folder, basename(path))
  if (parent !== null && place !== folder) await removeFolder(place)
}

/** Removes a link, an empty file or an empty directory, and nothing else. */
export async function removePlaceholder(folder: string, path: string): Promise<void> {
  const parent = await placeIn(folder, dirname(path))
  if (parent === null) return
  const place = join(parent, basename(path))
  const found = await lstatOrNull(place)
  if (found?.isDirectory()) await rmdir(place).catch(() => undefined)
  else if (found?.isSymbolicLink() || found?.size === 0) await unlink(place)
}

/**
 * Removes a folder if it exists, even without permissions or with paths that are too long. Where something still writes
 * to it or removes from it, the next attempt finds less.
 */
export async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rm(folder, { recursive: true, force: true })
    } catch (error) {
      if (attempt >= (passing.has(errorCode(error) ?? '') ? mostAttempts : 2)) throw error
      await makeReachable(folder)
    }
  }
}

const mostAttempts = 20

const tooLong = 'ENAMETOOLONG'

/** What other attempts can overcome; of anything else, as a disk's error, one more is made. */
const passing = new Set(['EACCES', 'EPERM', 'ENOENT', 'ENOTEMPTY', 'EBUSY', tooLong])

/** In bytes. With one more name, such a path still fits the system's limit (4,096 bytes on Linux). */
const longestPath = 800

/** Makes every directory accessible, and moves those that are too deep up. Names may be bytes that are no text. */
async function makeReachable(folder: string): Promise<void> {
  const waiting = [Buffer.from(folder)]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (!(await lstatOrNull(path))?.isDirectory()) continue
    // An entry may be gone already.
    await chmod(path, 0o700).catch(() => undefined)
    const isFar = path.length > longestPath
    const near = isFar ? Buffer.from(join(folder, `.near-${randomUUID()}`)) : path
    if (isFar) await rename(path, near).catch(() => undefined)
    const names = await readdir(near, { encoding: 'buffer' }).catch(() => [])
    for (const name of names) waiting.push(Buffer.concat([near, Buffer.from(sep), name]))
  }
}

/** The size of a folder; `isWhole` is false if some paths were too long to read. */
export interface FolderSize {
  readonly bytes: number
  readonly entries: number
  readonly isWhole: boolean
}

/**
 * Sums the disk usage and the number of entries of a folder. Reads at most `most` entries plus one
 * directory. Entries that disappear meanwhile count as nothing.
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

/** Characters that HFS+ ignores in a name; from git's `utf8.c`. */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/**
 * Returns why nothing may be written at this path, or `null`. This is the second gate:
 * `changes/gate` judges paths before, git after. It only ensures that the write stays inside the
 * folder and out of any `.git`.
 */
export function pathProblem(path: string): string | null {
  if (path === '') return 'the path is empty'
  if (path.includes('\0')) return 'the path contains a NUL'
  if (path.startsWith('/')) return 'the path is absolute'
  const parts = path.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    return 'the path is not normalized'
  }
  if (parts.some(isGitDirectory)) return 'the path leads into a .git directory'
  return null
}

/** True for `.git` as Linux, macOS or Windows reads it. */
function isGitDirectory(part: string): boolean {
  const name = part
    .replace(ignorable, '')
    .replace(/[:\\].*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase()
  return name === '.git' || name === 'git~1'
}
