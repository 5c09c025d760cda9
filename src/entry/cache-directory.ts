import { homedir } from 'node:os'
import { join } from 'node:path'

/** Ours alone, outside every repository: a nested checkout would see the project around it. */
export function cacheDirectory(): string {
  const base = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  return join(base, 'roadmap-executor')
}
