import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { homeDirectory } from '../../packages/files/files.ts'

/**
 * Creates a directory that only this user may enter; its parent must exist. Returns false if that is impossible:
 * another user created it first or may enter it, it is a link, or the system has no users (Windows).
 */
export function makeOwnDirectory(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch {
    // It may exist already; its present state is checked next.
  }
  try {
    const found = lstatSync(path)
    return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0
  } catch {
    return false
  }
}

/**
 * The executor's cache, outside every repository: a nested checkout would see the project around it. A relative
 * XDG_CACHE_HOME would put it into the current one, so it counts as unset. A user without a home gets a private directory
 * for temporary files.
 */
export function cacheDirectory(): string {
  const { XDG_CACHE_HOME: wanted = '' } = process.env
  if (isAbsolute(wanted)) return join(wanted, 'roadmap-executor')
  const home = homeDirectory()
  if (home !== null) return join(home, '.cache', 'roadmap-executor')
  temporary ??= temporaryDirectory()
  return temporary
}

let temporary: string | undefined

function temporaryDirectory(): string {
  const own = join(tmpdir(), `roadmap-executor-${process.getuid?.()}`)
  // If another user made it, a name that no one can guess.
  return makeOwnDirectory(own) ? own : `${own}-${crypto.randomUUID()}`
}
