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
import type { Workspace } from '../../../core/ports/workspace.ts'
import { findReady, findStanding, type Standing } from '../../../roadmap/standing/find-standing.ts'
import { isRunOver } from '../../../runs/run-roadmap.ts'
import { splitTaskName } from '../../../runs/workspace/order-repositories.ts'
import type { RepositoryWork } from '../../../runs/workspace/walk-workspace.ts'
import { openWorkspace } from '../../compose/local-workspace.ts'

/** A repository of the workspace on this disk. */
export interface WorkspaceRepository {
  readonly name: string
  readonly repository: UsersRepository
  readonly settings: Settings
}

/** Reads repositories without a lock, and remembers each until `forget`. */
export class RepositoryDoors implements Elsewhere {
  readonly #repositories: ReadonlyMap<string, WorkspaceRepository>
  readonly #found = new Map<string, Promise<Found>>()

  constructor(repositories: readonly WorkspaceRepository[]) {
    this.#repositories = new Map(repositories.map((each) => [each.name, each]))
  }

  /** What roadmap, branches and the last run say of its tasks. */
  async standing(name: string): Promise<Pick<Standing, 'tasks' | 'results'>> {
    const { standing, last } = await this.#find(name)
    const { tasks } = standing
    return { tasks, results: { ...unfinishedIn(last, tasks), ...standing.results } }
  }

  forget(name: string): void {
    this.#found.delete(name)
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
    const { where, standing, workspace, settings } = await this.#find(name)
    return findReady(where, standing.results, { workspace, settings, elsewhere: this })
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
    const known = this.#found.get(name) ?? this.#open(name)
    this.#found.set(name, known)
    return known
  }

  async #open(name: string): Promise<Found> {
    const opened = this.#repositories.get(name)
    if (opened === undefined) throw new Error(`There is no repository ${name}.`)
    const { repository, settings } = opened
    const { root } = repository
    const workspace = await openWorkspace(root, settings, createSystemClock(), { repository })
    const view = await workspace.refresh()
    const forge = createLocalForge()
    const standing = await findStanding(view, [], [], { workspace, settings, forge })
    const where = { roadmap: { base: view.base, path: settings.roadmap }, asked: { issues: [] } }
    const read = await readState(join(root, '.executor'), newest)
    const last = read.status === 'read' ? read.state : null
    return { standing, where, workspace, settings, last }
  }
}

interface Found {
  readonly standing: Standing
  readonly where: Parameters<typeof findReady>[0]
  readonly workspace: Workspace
  readonly settings: Settings
  /** The state of the last run; `null` where there is none, or none that can be read. */
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
