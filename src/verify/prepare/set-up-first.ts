import { changeBetween } from '../../changes/reply/change-sets.ts'
import { type ChangeSet, contentAfter } from '../../core/domain/change-set.ts'
import type { Folder } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import type { DependencyPlan } from './plan-dependencies.ts'
import {
  type PreparedDependencies,
  preparationFailed,
  prepareDependencies,
} from './prepare-dependencies.ts'

interface Place {
  readonly folder: Folder
  /** What lies over the folder's commit. */
  readonly written: ChangeSet
  /** Where its commit says that packages come from. */
  readonly registries: readonly string[]
  readonly signal?: AbortSignal | undefined
}

/**
 * As `prepareDependencies`, where a setup command of the project's own runs on the folder's commit: it has the
 * network, so nothing that the change wrote is there yet. The change is written over what the command left.
 */
export async function setUpFirst(
  plans: readonly DependencyPlan[],
  { folder, written, registries, signal }: Place,
  ports: Pick<Ports, 'workspace' | 'sandbox' | 'clock'>,
): Promise<PreparedDependencies> {
  const { workspace } = ports
  const isSetUp = written.length > 0 && plans.some(({ source }) => source === null)
  if (isSetUp) await workspace.checkOut(folder.name, folder.sha)
  const prepared = await prepareDependencies(
    plans,
    { folder: folder.path, registries, signal },
    ports,
  )
  if (!isSetUp) return prepared
  const there = await workspace.readFolder(
    folder,
    written.map(({ path }) => path),
  )
  // The same end from what the setup command made of the files.
  const changes = written.flatMap(
    (change) => changeBetween(change.path, there.get(change.path), contentAfter(change)) ?? [],
  )
  const result = await workspace.write(folder, changes)
  if (result.status === 'written') return prepared
  const { path, reason } = result
  const setup = plans.find(({ source }) => source === null)?.tool ?? ''
  const output = `${path} cannot be written: ${reason}`
  const said = `${setup} is in the way of the change: ${output}.`
  return { ...prepared, lack: preparationFailed(said, { output, setup }) }
}
