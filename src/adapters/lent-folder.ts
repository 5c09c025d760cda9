/**
 * Folders that code which is not ours could write. Whatever stands below one is looked at anew each time: nothing
 * there is reached, read, shown, measured or removed by way of a symlink that leads elsewhere.
 */
import { constants, type Stats } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, realpath, rm, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { pathProblem } from './git-workspace/repository-path.ts'
import { textOf, textSizeLimit } from './git-workspace/text.ts'

export async function lstatOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}

/** `ENOENT` and its like; `null` for an error that is not the system's. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
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

/** Where something in the folder is once its links are followed; `null` when they lead out of it, or nowhere. */
export async function resolveIn(folder: string, path: string): Promise<string | null> {
  const [root, place] = await Promise.all(
    [folder, resolve(folder, path)].map((each) => realpath(each).catch(() => null)),
  )
  return root && place && isInside(place, root) ? place : null
}

/** What stands in the way of a path's parent directories; `missing` names the first that is not there. */
export type Way =
  | { readonly status: 'open' }
  | { readonly status: 'missing'; readonly directory: string }
  | { readonly status: 'blocked'; readonly reason: string }

/** Looks at every directory above `path`, the folder itself first. */
export async function wayTo(folder: string, path: string): Promise<Way> {
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
  const found = await lstatOrNull(full)
  if (!found?.isFile() || found.size > textSizeLimit) return null
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = await open(full, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
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

/** The texts of the plain files at `paths`, by path. Whatever stands at a path is removed. */
export function takeOut(
  folder: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return textsAt(paths, async (path) => {
    const text = await readPlain(folder, path).catch(() => null)
    await removeIn(folder, path)
    return text
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

/** Bytes of one file that is taken out. */
const takenLimit = 64 * 1024 * 1024

/** `null` for anything but a plain file: a pipe would make us wait for ever. */
async function readPlain(folder: string, path: string): Promise<string | null> {
  const place = await placeIn(folder, path)
  if (place === null) return null
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = await open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const found = await file.stat()
    if (!found.isFile() || found.size > takenLimit) return null
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** Removes what stands there with all below it, a link itself; nothing where the way leads elsewhere by now. */
export async function removeIn(folder: string, path: string): Promise<void> {
  const parent = await placeIn(folder, dirname(path))
  const place = join(parent ?? folder, basename(path))
  if (parent !== null && place !== folder) await rm(place, { recursive: true, force: true })
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

/** Removes a whole folder, also where a test took away the right to remove. */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch (error) {
    if (errorCode(error) !== 'EACCES' && errorCode(error) !== 'EPERM') throw error
    await openDirectories(folder)
    await rm(folder, { recursive: true, force: true })
  }
}

async function openDirectories(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) return
  await chmod(path, 0o700)
  for (const name of await readdir(path)) await openDirectories(join(path, name))
}

/**
 * Bytes on the disk of everything in a folder, and how many entries it has, of which `most` are looked at; what
 * vanishes while we look counts for nothing.
 */
export async function measureFolder(
  folder: string,
  most: number,
  isStopped: () => boolean,
): Promise<{ readonly bytes: number; readonly entries: number }> {
  const waiting = ['.']
  let [bytes, entries] = [0, 0]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const place = await placeIn(folder, path)
    const found =
      place === null ? [] : await readdir(place, { withFileTypes: true }).catch(() => [])
    for (const entry of found) {
      entries += 1
      if (isStopped() || entries > most) return { bytes, entries }
      const below = join(path, entry.name)
      if (entry.isDirectory()) waiting.push(below)
      else if (entry.isFile())
        bytes += ((await lstatOrNull(join(folder, below)).catch(() => null))?.blocks ?? 0) * 512
    }
  }
  return { bytes, entries }
}
