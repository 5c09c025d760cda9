import { constants } from 'node:fs'
import {
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  rm,
  rmdir,
  stat,
  symlink,
  unlink,
} from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { SandboxRequest } from '../../core/ports.ts'
import { isInside } from './toolchain.ts'

/** Bytes of one collected file. */
const collectLimit = 64 * 1024 * 1024

export interface Mount {
  readonly from: string
  readonly to: string
}

const lstatOf = (path: string) => lstat(path).catch(() => null)

/** The absolute path of something in the folder, or `null` when a link or `..` leads elsewhere. */
export async function placeInside(folder: string, path: string): Promise<string | null> {
  const place = resolve(folder, path)
  if (!isInside(place, folder)) return null
  let current = folder
  for (const part of relative(folder, place).split(sep)) {
    current = join(current, part)
    const found = await lstatOf(current)
    if (found === null) return place
    if (found.isSymbolicLink()) return null
  }
  return place
}

/** Beside the `node_modules` that it is for; named so that whoever looks for packages finds them. */
const modulesPlace = '.executor-modules/node_modules'

/** What tools keep among the packages: each run has its own. */
const toolCaches = new Set(['.cache', '.vite', '.vite-temp', '.vitest'])

/**
 * Makes a place for each mount: as a link, or (`asLinks` false) empty, for a mount over it. What
 * the folder itself has at a place goes first. A `node_modules` becomes a directory of links into
 * the mount, since tools write into it. `undo` leaves the folder as it was.
 */
export async function placeMounts(
  folder: string,
  wanted: SandboxRequest['mounts'],
  asLinks: boolean,
): Promise<{ readonly mounts: readonly Mount[]; readonly undo: () => Promise<void> }> {
  const mounts: Mount[] = []
  const made: string[] = []
  const directories: string[] = []
  for (const { from, to } of wanted) {
    const source = await realpath(from).catch(() => null)
    const named = await placeInside(folder, to)
    if (source === null || named === null || (await lstatOf(named)) !== null) continue
    const isDirectory = (await stat(source)).isDirectory()
    const isModules = isDirectory && basename(to) === 'node_modules'
    const place = isModules ? join(dirname(named), modulesPlace) : named
    if (isModules && (await lstatOf(place)) !== null) continue
    const first = await mkdir(dirname(place), { recursive: true })
    if (first !== undefined) made.push(...between(first, dirname(place)))
    if (asLinks) await symlink(source, place)
    else if (isDirectory) await mkdir(place)
    else await (await open(place, 'wx')).close()
    made.push(place)
    mounts.push({ from: source, to: place })
    if (!isModules) continue
    directories.push(named)
    await linkModules(source, named)
  }
  const undo = async () => {
    for (const directory of directories) await rm(directory, { recursive: true, force: true })
    await unmake(made)
  }
  return { mounts, undo }
}

/** Links that the packages' directory holds itself, to packages of the project, stay as they are. */
async function linkModules(source: string, directory: string): Promise<void> {
  await mkdir(directory)
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const { name } = entry
    if (toolCaches.has(name)) continue
    const target = entry.isSymbolicLink() ? await readlink(join(source, name)) : null
    const isOutside = target?.startsWith('../') === true
    await symlink(isOutside ? target : join('..', modulesPlace, name), join(directory, name))
  }
}

/** `first` and every directory below it down to `last`. */
function between(first: string, last: string): readonly string[] {
  const parts = relative(first, last).split(sep).filter(Boolean)
  return [first, ...parts.map((_, index) => join(first, ...parts.slice(0, index + 1)))]
}

/** Takes away links, empty files and empty directories; whatever else is there now stays. */
async function unmake(made: readonly string[]): Promise<void> {
  for (const path of made.toReversed()) {
    const found = await lstatOf(path)
    if (found?.isDirectory()) await rmdir(path).catch(() => undefined)
    else if (found?.isSymbolicLink() || found?.size === 0) await unlink(path)
  }
}

/**
 * Reads the files and takes them out of the folder. Only what is a plain file is read: a link
 * would read for the command what it could not read itself, a pipe would wait for ever.
 */
export async function collect(
  folder: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const path of paths) {
    const parent = await placeInside(folder, dirname(path))
    if (parent === null) continue
    const place = join(parent, basename(path))
    const text = await readPlain(place).catch(() => null)
    if (text !== null) found.set(path, text)
    await rm(place, { recursive: true, force: true })
  }
  return found
}

async function readPlain(path: string): Promise<string | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const found = await file.stat()
    if (!found.isFile() || found.size > collectLimit) return null
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
