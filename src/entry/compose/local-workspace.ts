import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createGitWorkspace } from '../../adapters/git-workspace.ts'
import type { IndexPlace } from '../../adapters/sqlite-index.ts'
import type { UsersRepository } from '../../adapters/user-checkout.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { type EffectLog, unrecorded } from '../../core/ports/effect-log.ts'
import type { Workspace } from '../../core/ports/workspace.ts'
import { cacheDirectory, makeOwnDirectory } from '../own-directory.ts'

interface WorkspacePlace {
  readonly home?: string | undefined
  readonly effects?: EffectLog
  readonly repository?: UsersRepository | undefined
  readonly index?: IndexPlace | undefined
}

/** The directory for the executor's clone, named after the repository's path. */
function homeFor(root: string): string {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  return join(cacheDirectory(), 'repositories', name)
}

/** Works on the user's repository through the executor's own clone in `home`, by default one per repository. */
export async function openWorkspace(
  root: string,
  settings: Settings,
  clock: Clock,
  { home = homeFor(root), effects = unrecorded, repository, index }: WorkspacePlace = {},
): Promise<Workspace> {
  return createGitWorkspace({
    source: root,
    inspected: repository,
    remote: root,
    token: null,
    base: null,
    home,
    work: workPlace(home),
    identity: settings.commit,
    clock,
    effects,
    index,
  })
}

/**
 * The directory for task folders: `home`, or, if a name in its path begins with a dot, a private directory below
 * /var/tmp. Programs that serve or search files skip such paths, and their tests fail there: express's `res.sendFile`
 * answers 404 for every file in `~/.cache`.
 */
export function workPlace(home: string): string {
  if (!/[/]\./.test(home)) return home
  const own = join('/var/tmp', `roadmap-executor-${process.getuid?.()}`)
  return makeOwnDirectory(own) ? join(own, hashOf(home)) : home
}

const hashOf = (path: string): string =>
  createHash('sha256').update(path).digest('hex').slice(0, 16)
