import type { ChangeSet } from '../../core/domain/change-set.ts'
import type { TestReport } from '../../core/domain/test-report.ts'
import type { Ports } from '../../core/ports.ts'
import type { StartCommit } from '../run/baseline.ts'
import { reportOf, verifyFolder } from '../run/verify-folder.ts'

export type TreePorts = Pick<Ports, 'workspace' | 'sandbox' | 'settings' | 'clock'>

export interface TreeCheck {
  /** Name of the folder; one check at a time uses it. */
  readonly name: string
  readonly start: StartCommit
  /** The test files to run. */
  readonly files: readonly string[]
  /** Aborts the run. */
  readonly signal: AbortSignal
}

/**
 * What these test files say, run alone on a commit and changes to it, in a folder of their own that is gone
 * afterwards: nothing that they leave behind is met by the tests of the task.
 *
 * @returns `null` where they could not be run
 */
export async function runTree(
  { name, start: { sha, task }, files, signal }: TreeCheck,
  changes: ChangeSet,
  ports: TreePorts,
): Promise<TestReport | null> {
  const folder = await ports.workspace.checkOut(name, sha)
  try {
    const written = await ports.workspace.write(folder, changes)
    if (written.status === 'refused') return null
    const known = await ports.workspace.listFiles(sha)
    const paths = pathsAfter(
      known.map(({ path }) => path),
      changes,
    )
    const choice = { files, written: changes, signal }
    return reportOf(await verifyFolder(folder, paths, task, ports, choice))
  } finally {
    await ports.workspace.discard(name)
  }
}

/** The paths of a commit with changes over it. */
export function pathsAfter(paths: readonly string[], changes: ChangeSet): readonly string[] {
  const known = new Set(paths)
  for (const { action, path } of changes) {
    if (action === 'delete') known.delete(path)
    else known.add(path)
  }
  return [...known]
}
