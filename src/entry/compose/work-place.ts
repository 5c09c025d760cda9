import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { makeOwnDirectory } from '../own-directory.ts'

/**
 * The directory for the folders of tasks: `home`, or, where a name in its path begins with a dot, a private directory
 * of this user below /var/tmp. Programs that serve or search files skip whatever lies below such a name, and their
 * tests fail there: express's `res.sendFile` answers 404 for every file in `~/.cache`.
 */
export function workPlace(home: string): string {
  if (!/[/]\./.test(home)) return home
  const own = join('/var/tmp', `roadmap-executor-${process.getuid?.()}`)
  return makeOwnDirectory(own) ? join(own, hashOf(home)) : home
}

const hashOf = (path: string): string =>
  createHash('sha256').update(path).digest('hex').slice(0, 16)
