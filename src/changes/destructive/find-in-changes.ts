import { type ChangeSet, contentAfter, contentBefore } from '../../core/domain/change-set.ts'
import type { DestructiveOperation } from '../../core/domain/destructive.ts'

/**
 * The destructive operations that a change set brings in, file by file.
 *
 * @param known registries and repositories that were named before, see `sourcesOf`
 * @param isOurs locks that an installer has just made for us
 */
export async function findInChanges(
  changes: ChangeSet,
  known?: ReadonlySet<string>,
  isOurs?: boolean,
): Promise<readonly DestructiveOperation[]> {
  // Its parsers are loaded with the first change there is.
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
