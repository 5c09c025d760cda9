import type { Task } from '../../../packages/task/task.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { finishedVerdicts } from '../../core/domain/verdict.ts'
import type { TaskElsewhere } from '../../core/ports/elsewhere.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type { Ports } from '../../core/ports.ts'
import { findReady, findStanding, type Standing } from '../../tasks/standing/find-standing.ts'
import { isRunOver } from '../run-roadmap.ts'
import { splitTaskName } from './order-repositories.ts'
import type { RepositoryWork } from './walk-workspace.ts'

/** A repository of the workspace, wherever it is. */
export interface WorkspaceRepository<Opened extends ReadableRepository = ReadableRepository> {
  readonly name: string
  /** Its folder, or its address on GitHub. */
  readonly root: string
  /** @throws ExecutorError for a repository that does not belong to the workspace, or cannot be read */
  open(): Promise<Opened>
}

/** A repository that is open for reading. */
export interface ReadableRepository {
  readonly ports: Pick<Ports, 'workspace' | 'settings' | 'forge'>
  /** The state of the last run; `null` where there is none, or none that can be read. */
  last(): Promise<RunState | null>
  close(): Promise<void>
}

/** A session, as one that is open for reading. */
export const readable = <S extends { readonly ports: Ports; close(): Promise<void> }>(
  session: S,
): S & ReadableRepository => ({
  ...session,
  async last() {
    const loaded = await session.ports.store.load()
    return loaded.status === 'loaded' ? loaded.state : null
  },
})

/** Reads repositories, and remembers each until `forget`. */
export class RepositoryDoors<Opened extends ReadableRepository = ReadableRepository> {
  readonly #repositories: ReadonlyMap<string, WorkspaceRepository<Opened>>
  readonly #found = new Map<string, Promise<Found<Opened>>>()

  constructor(repositories: readonly WorkspaceRepository<Opened>[]) {
    this.#repositories = new Map(repositories.map((each) => [each.name, each]))
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

  async opened(name: string): Promise<Opened> {
    return (await this.#find(name)).opened
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

  #find(name: string): Promise<Found<Opened>> {
    const known = this.#found.get(name) ?? this.#read(name)
    this.#found.set(name, known)
    return known
  }

  async #read(name: string): Promise<Found<Opened>> {
    const repository = this.#repositories.get(name)
    if (repository === undefined) throw new Error(`There is no repository ${name}.`)
    const opened = await repository.open()
    try {
      const { workspace, forge, settings } = opened.ports
      const view = await workspace.refresh()
      const pullRequests = await forge.pullRequests()
      const standing = await findStanding(view, pullRequests, [], opened.ports)
      const where = { roadmap: { base: view.base, path: settings.roadmap }, asked: { issues: [] } }
      return { standing, where, opened, pullRequests, last: await opened.last() }
    } catch (error) {
      await opened.close()
      throw error
    }
  }
}

interface Found<Opened> {
  readonly standing: Standing
  readonly where: Parameters<typeof findReady>[0]
  readonly opened: Opened
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
