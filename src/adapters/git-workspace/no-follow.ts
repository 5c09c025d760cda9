/** Files of a task's folder, reached without following a single symlink. */
import { constants, type Stats } from 'node:fs'
import { lstat, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { pathProblem } from './repository-path.ts'
import { textOf, textSizeLimit } from './text.ts'

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

export async function readFolder(
  folder: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const path of paths) {
    const bytes = await readRegular(folder, path)
    const text = bytes === null ? null : textOf(bytes)
    if (text !== null) texts.set(path, text)
  }
  return texts
}
