import type { RunState } from '../../core/domain/run-state.ts'

/** What a repository has to do now. */
export interface RepositoryWork {
  /** Ids of tasks that could start. */
  readonly ready: readonly string[]
  /** The tasks of an interrupted run, `null` for all; absent without one. */
  readonly interrupted?: { readonly only: readonly string[] | null }
}

/** How a walk reaches the repositories. Everything that it must know after a kill, it finds there. */
export interface WorkspaceDoors {
  look(repository: string): Promise<RepositoryWork>
  /** @param only ids of tasks; `null` for all */
  run(repository: string, only: readonly string[] | null): Promise<RunState>
}

/** Whether all was tried, or why not. */
export type WalkEnd = NonNullable<RunState['progress']['stopped']> | 'done'

/**
 * Runs one repository after another until none has a task left that could start: the work in one makes tasks of another
 * ready. A task that failed is not tried twice. Keeps no state: an interrupted run of a repository comes first, and
 * finished tasks are found on their branches.
 *
 * @param repositories names in the order of `orderRepositories`
 */
export async function walkWorkspace(
  repositories: readonly string[],
  doors: WorkspaceDoors,
  signal: AbortSignal,
): Promise<WalkEnd> {
  const tried = new Map<string, ReadonlySet<string>>()
  for (let hasRun = true; hasRun; ) {
    hasRun = false
    for (const name of repositories) {
      if (signal.aborted) return 'cancelled'
      const work = await doors.look(name)
      const only = nextOf(work, tried.get(name))
      if (only === undefined) continue
      hasRun = true
      const state = await doors.run(name, only)
      tried.set(name, new Set([...(tried.get(name) ?? []), ...work.ready, ...triedIn(state)]))
      if (state.progress.stopped !== null) return state.progress.stopped
    }
  }
  return 'done'
}

/** The tasks to run; `undefined` for none. The first run takes all, and so tries again what failed on another day. */
function nextOf(
  { ready, interrupted }: RepositoryWork,
  tried: ReadonlySet<string> | undefined,
): readonly string[] | null | undefined {
  if (interrupted !== undefined) return interrupted.only
  const fresh = ready.filter((id) => tried?.has(id) !== true)
  if (fresh.length === 0) return undefined
  return tried === undefined ? null : fresh
}

const triedIn = ({ tasks: { results } }: RunState): readonly string[] =>
  Object.values(results).flatMap(({ id, thisRun, attempts }) => (thisRun && attempts > 0 ? id : []))
