import { makeTemporaryFolder, removeTemporaryFolder } from '../../../packages/files/files.ts'
import { createFileMemory } from '../../adapters/file-store/memory-file.ts'
import { createFileStore } from '../../adapters/file-store.ts'
import { createLocalForge } from '../../adapters/local-forge.ts'
import { openTelemetry } from '../../adapters/telemetry.ts'
import { createTerminalPerson } from '../../adapters/terminal-person.ts'
import type { UsersRepository } from '../../adapters/user-checkout.ts'
import { soleLeases } from '../../core/ports/leases.ts'
import type { Ports } from '../../core/ports.ts'
import { cacheDirectory } from '../own-directory.ts'
import { compose, type Session, type SessionRequest } from './compose.ts'
import { openWorkspace } from './local-workspace.ts'

/** What a caller may bring along. */
export type GivenPorts = Partial<Pick<Ports, 'model' | 'forge' | 'person'>>

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
