import { lstatSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Makes a directory that this user alone may enter; its parent has to be there. False where that cannot be had: another
 * user made it first or may enter it, it is a link, or the system knows no users (Windows).
 */
export function makeOwnDirectory(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch {
    // It may be there already: what counts is what it is now.
  }
  try {
    const found = lstatSync(path)
    return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0
  } catch {
    return false
  }
}

/** Ours alone, outside every repository: a nested checkout would see the project around it. */
export function cacheDirectory(): string {
  const base = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  return join(base, 'roadmap-executor')
}
