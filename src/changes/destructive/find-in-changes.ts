import { type ChangeSet, contentAfter, contentBefore } from '../../core/domain/change-set.ts'
import type { DestructiveOperation } from '../../core/domain/destructive.ts'

/**
 * Finds the destructive operations that a change set adds, file by file.
 *
 * @param known registries and repositories that were named before, see `sourcesOf`
 * @param isOurs true for lock files that an installer has just written for us
 */
export async function findInChanges(
  changes: ChangeSet,
  known?: ReadonlySet<string>,
  isOurs?: boolean,
): Promise<readonly DestructiveOperation[]> {
  // The first change loads the parsers.
  const { findDestructive } = await import('./find-destructive.ts')
  const found: DestructiveOperation[] = []
  for (const change of changes) {
    const text = contentAfter(change)
    if (text === undefined) continue
    const before = contentBefore(change)
    found.push(...(await findDestructive({ path: change.path, text, before, known, isOurs })))
  }
  return found
}
