import { type MergeState, mergeStateOf } from '../merge-state.ts'
import { figuresOf } from '../pull-figures.ts'
import type { Pull } from '../records.ts'
import type { Repository, Store } from '../store.ts'
import { presentFullPull } from './pull.ts'

/** A pull request on its own, with what git has to be asked for. */
export async function presentPullNow(
  store: Store,
  repository: Repository,
  pull: Pull,
  look: (repository: Repository, pull: Pull) => Promise<MergeState | null> = mergeStateOf,
): Promise<Record<string, unknown>> {
  const figures = await figuresOf(repository, pull)
  const state = pull.state === 'open' ? await look(repository, pull) : null
  return presentFullPull(store, repository, pull, figures, state)
}
