import { createHash } from 'node:crypto'
import { lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The directory for the folders of tasks: `home`, or, where a name in its path begins with a dot, a private directory
 * of this user below /var/tmp. Programs that serve or search files skip whatever lies below such a name, and their
 * tests fail there: express's `res.sendFile` answers 404 for every file in `~/.cache`.
 */
export async function workPlace(home: string): Promise<string> {
  const user = process.getuid?.()
  if (user === undefined || !/[/]\./.test(home)) return home
  const own = join('/var/tmp', `roadmap-executor-${user}`)
  return (await isOwn(own, user)) ? join(own, hashOf(home)) : home
}

/** False where another user made it first, or may write to it. */
async function isOwn(path: string, user: number): Promise<boolean> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    const found = await lstat(path)
    return found.isDirectory() && found.uid === user && (found.mode & 0o077) === 0
  } catch {
    return false
  }
}

const hashOf = (path: string): string =>
  createHash('sha256').update(path).digest('hex').slice(0, 16)
