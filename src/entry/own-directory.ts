import { lstatSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

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

/** The executor's own cache, outside every repository: a nested checkout would see the project around it. */
export function cacheDirectory(): string {
  const base = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  return join(base, 'roadmap-executor')
}
