import { mkdir, open, readdir, readlink, realpath, stat, symlink } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import {
  lstatOrNull,
  makeWay,
  placeIn,
  removeIn,
  removePlaceholder,
  resolveIn,
} from '../files/files.ts'
import type { SandboxRequest } from './port.ts'

export interface Mount {
  readonly from: string
  readonly to: string
}

/** A sibling of the target `node_modules`; Node finds packages by this name. */
const modulesPlace = '.executor-modules/node_modules'

/** Caches that tools keep among the packages: each run has its own. */
const toolCaches = new Set(['.cache', '.vite', '.vite-temp', '.vitest'])

/**
 * Creates a place for each mount: as a link, or (`asLinks` false) as an empty target to mount over.
 * Existing entries of the folder take precedence. A `node_modules` becomes a directory of links
 * into the mount, because tools write to it. `undo` restores the folder.
 * @returns a string that says why nothing is shown: a source leads out of its own folder
 */
export async function placeMounts(
  folder: string,
  wanted: SandboxRequest['mounts'],
  asLinks: boolean,
): Promise<{ readonly mounts: readonly Mount[]; readonly undo: () => Promise<void> } | string> {
  const mounts: Mount[] = []
  const made: { readonly place: string; readonly remove: typeof removeIn }[] = []
  const undo = async () => {
    // What resists goes with the folder.
    for (const { place, remove } of made.toReversed()) await remove(folder, place).catch(() => {})
  }
  const placeholder = (place: string) => made.push({ place, remove: removePlaceholder })
  for (const { from, within, to } of wanted) {
    if ((await lstatOrNull(from)) === null) continue
    const source = await (within === null ? realpath(from) : resolveIn(within, from))
    if (source === null) {
      await undo()
      return `${to} is not shown: it leads out of the folder it was made in.`
    }
    const named = await placeIn(folder, to)
    if (named === null || (await lstatOrNull(named)) !== null) continue
    const isDirectory = (await stat(source)).isDirectory()
    const isModules = isDirectory && basename(to) === 'node_modules'
    const place = isModules ? join(dirname(named), modulesPlace) : named
    if (isModules && (await lstatOrNull(place)) !== null) continue
    await makeWay(folder, relative(folder, place), placeholder)
    if (asLinks) await symlink(source, place)
    else if (isDirectory) await mkdir(place)
    else await (await open(place, 'wx')).close()
    placeholder(place)
    mounts.push({ from: source, to: place })
    if (!isModules) continue
    made.push({ place: named, remove: removeIn })
    await linkModules(source, named)
  }
  return { mounts, undo }
}

/** Keeps the directory's own links to packages of the project. */
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
