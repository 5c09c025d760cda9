import { type ChangeSet, contentAfter, contentBefore } from '../../core/domain/change-set.ts'
import type { Folder } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { classifiedAs, setUpFailed } from '../../text/diagnosis/diagnose.ts'
import type { DependencyPlan } from './plan-dependencies.ts'
import {
  type FailedPreparation,
  type PreparedDependencies,
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
  const result = await workspace.write(folder, overWhatIs(written, there))
  if (result.status === 'written') return prepared
  const { path, reason } = result
  return { ...prepared, lack: inTheWay(plans, `${path} cannot be written: ${reason}`) }
}

/** The same end from what the setup command made of the files. */
function overWhatIs(written: ChangeSet, there: ReadonlyMap<string, string>): ChangeSet {
  return written.flatMap((change) => {
    const { path } = change
    const [before, content] = [there.get(path), contentAfter(change)]
    if (before === contentBefore(change)) return [change]
    if (content === undefined) {
      return before === undefined ? [] : [{ action: 'delete' as const, path, before }]
    }
    return before === undefined
      ? [{ action: 'create' as const, path, content }]
      : [{ action: 'modify' as const, path, before, content }]
  })
}

function inTheWay(plans: readonly DependencyPlan[], said: string): FailedPreparation {
  const tool = plans.find(({ source }) => source === null)?.tool ?? ''
  const message = `${tool} is in the way of the change: ${said}.`
  return {
    ...{ status: 'failed', reason: message, output: said, setup: tool, tried: [] },
    error: classifiedAs('unknown', message),
    diagnosis: setUpFailed(message),
  }
}
