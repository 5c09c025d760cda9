import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../packages/files/files.ts'
import { createFileMemory } from '../../adapters/file-store/memory-file.ts'
import { createFileStore } from '../../adapters/file-store.ts'
import { createGitWorkspace } from '../../adapters/git-workspace.ts'
import { createLocalForge } from '../../adapters/local-forge.ts'
import type { IndexPlace } from '../../adapters/sqlite-index.ts'
import { openTelemetry } from '../../adapters/telemetry.ts'
import { createTerminalPerson } from '../../adapters/terminal-person.ts'
import type { UsersRepository } from '../../adapters/user-checkout.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { type EffectLog, unrecorded } from '../../core/ports/effect-log.ts'
import { soleLeases } from '../../core/ports/leases.ts'
import type { Workspace } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { cacheDirectory, makeOwnDirectory } from '../own-directory.ts'
import { compose, type Session, type SessionRequest } from './compose.ts'

/** What a caller may bring along. */
type GivenPorts = Partial<Pick<Ports, 'model' | 'forge' | 'person'>>

interface LocalSessionRequest extends SessionRequest, GivenPorts {
  readonly repository: UsersRepository
  readonly isTTY: boolean
}

/**
 * The ports of a local run: the user's own repository, branches instead of pull requests, the terminal as the person
 * to ask, `.executor/` for state and reports. A given port takes the place of the usual one.
 */
export async function composeLocal(request: LocalSessionRequest): Promise<Session> {
  const { repository, settings, isTTY, model, forge, dryRun = false } = request
  const { root } = repository
  const { answers, retentionDays } = settings.state
  return compose(request, {
    ...{ root, checkedOut: true, cache: cacheDirectory(), secrets: [] },
    openTelemetry: () => openTelemetry(process.env),
    model,
    person:
      request.person ??
      createTerminalPerson({ input: process.stdin, output: process.stderr, isTTY }),
    async openState({ directory, clock, log }) {
      const store = createFileStore({ directory, clock, keepAnswers: answers !== 'off' })
      const lock = dryRun ? null : await store.acquireLock()
      if (!dryRun) await store.prune(retentionDays)
      const memory = createFileMemory({ directory, clock, notice: log })
      return { store, memory, leases: soleLeases, close: () => lock?.release() }
    },
    async openCode({ clock, directory, note }, effects) {
      // The files of a dry run are deleted when it ends.
      const home = dryRun ? await makeTemporaryFolder('dry-run') : undefined
      return {
        forge: forge ?? createLocalForge(),
        workspace: await openWorkspace(root, settings, clock, {
          ...{ home, effects, repository },
          index: { directory: home ?? directory, clock, note },
        }),
        async close() {
          if (home === undefined) return
          await removeTemporaryFolder(home)
        },
      }
    },
  })
}

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
