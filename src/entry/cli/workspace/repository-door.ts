import { join } from 'node:path'
import { newest, readState } from '../../../adapters/file-store/state-files.ts'
import { createLocalForge } from '../../../adapters/local-forge.ts'
import { createSystemClock } from '../../../adapters/system-clock.ts'
import type { UsersRepository } from '../../../adapters/user-checkout.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import type { Task } from '../../../core/domain/task.ts'
import { finishedVerdicts } from '../../../core/domain/verdict.ts'
import type { Elsewhere, TaskElsewhere } from '../../../core/ports/elsewhere.ts'
import type { Forge, PullRequest } from '../../../core/ports/forge.ts'
import type { Ports } from '../../../core/ports.ts'
import { findReady, findStanding, type Standing } from '../../../roadmap/standing/find-standing.ts'
import { isRunOver } from '../../../runs/run-roadmap.ts'
import { splitTaskName } from '../../../runs/workspace/order-repositories.ts'
import type { RepositoryWork } from '../../../runs/workspace/walk-workspace.ts'
import { openWorkspace } from '../../compose/local-workspace.ts'

/** A repository of the workspace, by its checkout on this disk. */
export interface WorkspaceRepository {
  readonly name: string
  readonly repository: UsersRepository
  readonly settings: Settings
}

/** A repository that is open for reading. */
export interface ReadableRepository {
  readonly ports: Pick<Ports, 'workspace' | 'settings' | 'forge'>
  /** The state of the last run; `null` where there is none, or none that can be read. */
  last(): Promise<RunState | null>
  close(): Promise<void>
}

/** Opens a repository on this disk, without a lock. */
export async function openOnDisk({
  repository,
  settings,
}: WorkspaceRepository): Promise<ReadableRepository> {
  const { root } = repository
  const workspace = await openWorkspace(root, settings, createSystemClock(), { repository })
  return {
    ports: { workspace, settings, forge: createLocalForge() },
    async last() {
      const read = await readState(join(root, '.executor'), newest)
      return read.status === 'read' ? read.state : null
    },
    close: async () => {},
  }
}

/** Reads repositories, and remembers each until `forget`. */
export class RepositoryDoors implements Elsewhere {
  readonly #repositories: ReadonlyMap<string, WorkspaceRepository>
  readonly #open: (repository: WorkspaceRepository) => Promise<ReadableRepository>
  readonly #found = new Map<string, Promise<Found>>()

  constructor(
    repositories: readonly WorkspaceRepository[],
    open: (repository: WorkspaceRepository) => Promise<ReadableRepository> = openOnDisk,
  ) {
    this.#repositories = new Map(repositories.map((each) => [each.name, each]))
    this.#open = open
  }

  /** What roadmap, branches and the last run say of its tasks. */
  async standing(name: string): Promise<Pick<Standing, 'tasks' | 'results'>> {
    const { standing, last } = await this.#find(name)
    const { tasks } = standing
    return { tasks, results: { ...unfinishedIn(last, tasks), ...standing.results } }
  }

  async forget(name: string): Promise<void> {
    const found = this.#found.get(name)
    this.#found.delete(name)
    await found?.then(
      ({ opened }) => opened.close(),
      () => {},
    )
  }

  async close(): Promise<void> {
    for (const name of this.#found.keys()) await this.forget(name)
  }

  /** The pull requests of its tasks. */
  async pullRequests(name: string): Promise<readonly PullRequest[]> {
    return (await this.#find(name)).pullRequests
  }

  async forge(name: string): Promise<Forge> {
    return (await this.#find(name)).opened.ports.forge
  }

  async look(name: string): Promise<TaskElsewhere> {
    const { repository = '', id = '' } = splitTaskName(name) ?? {}
    if (!this.#repositories.has(repository)) return { status: 'unknown' }
    const { tasks, results } = await this.standing(repository)
    const task = tasks.find((each) => each.id.toLowerCase() === id.toLowerCase())
    if (task === undefined) return { status: 'unknown' }
    if (task.status === 'done') return { status: 'done' }
    if (task.status === 'cancelled') return { status: 'failed', reason: 'it is cancelled' }
    const result = results[task.id]
    if (result === undefined) return { status: 'open' }
    if (finishedVerdicts.includes(result.verdict)) return { status: 'done' }
    return { status: 'failed', reason: result.reason || result.verdict }
  }

  /** Ready and waiting tasks, by the present state of the other repositories. */
  async ready(name: string): Promise<Pick<Standing, 'ready' | 'waits'>> {
    const { where, standing, opened } = await this.#find(name)
    return findReady(where, standing.results, { ...opened.ports, elsewhere: this })
  }

  async work(name: string): Promise<RepositoryWork> {
    const { standing, last } = await this.#find(name)
    const owned = new Set(
      standing.tasks.flatMap(({ id, owner }) => (owner === undefined ? [] : id)),
    )
    const ready = (await this.ready(name)).ready.filter((id) => !owned.has(id))
    if (last === null || isRunOver(last)) return { ready }
    return { ready, interrupted: { only: last.run.only } }
  }

  #find(name: string): Promise<Found> {
    const known = this.#found.get(name) ?? this.#read(name)
    this.#found.set(name, known)
    return known
  }

  async #read(name: string): Promise<Found> {
    const repository = this.#repositories.get(name)
    if (repository === undefined) throw new Error(`There is no repository ${name}.`)
    const opened = await this.#open(repository)
    const { workspace, forge, settings } = opened.ports
    const view = await workspace.refresh()
    const pullRequests = await forge.pullRequests()
    const standing = await findStanding(view, pullRequests, [], opened.ports)
    const where = { roadmap: { base: view.base, path: settings.roadmap }, asked: { issues: [] } }
    return { standing, where, opened, pullRequests, last: await opened.last() }
  }
}

interface Found {
  readonly standing: Standing
  readonly where: Parameters<typeof findReady>[0]
  readonly opened: ReadableRepository
  readonly pullRequests: readonly PullRequest[]
  readonly last: RunState | null
}

/** Verdicts that leave nothing on a branch. Of tasks whose words have changed since, they say nothing. */
function unfinishedIn(last: RunState | null, tasks: readonly Task[]): Standing['results'] {
  const results = last?.tasks.results ?? {}
  const same = tasks.flatMap(({ id, fingerprint }) => {
    const result = results[id]
    const counts =
      result?.fingerprint === fingerprint &&
      result.verdict !== 'waiting' &&
      !finishedVerdicts.includes(result.verdict)
    return counts ? [[id, result] as const] : []
  })
  return Object.fromEntries(same)
}
