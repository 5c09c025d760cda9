import { type ChangeSet, contentAfter, contentBefore, type Tree } from '../../change/change.ts'
import type { Rules } from '../judging.ts'
import type { DestructiveOperation } from './operation.ts'

/**
 * Finds the destructive operations that a change set adds, file by file. To load packages from a source that neither
 * the start commit nor the settings name is one.
 *
 * @param start the tree that the change starts from
 * @param isOurs true for lock files that an installer has just written for us
 */
export async function findOperations(
  changes: ChangeSet,
  start: Tree,
  { verify }: { readonly verify: Pick<Rules['verify'], 'registries'> },
  isOurs?: boolean,
): Promise<readonly DestructiveOperation[]> {
  // The first change loads the parsers.
  const { findDestructive } = await import('./find-destructive.ts')
  const { sourcesBefore } = await import('./packages/sources-before.ts')
  const known = await sourcesBefore(start, changes, verify.registries)
  const found: DestructiveOperation[] = []
  for (const change of changes) {
    const text = contentAfter(change)
    if (text === undefined) continue
    const before = contentBefore(change)
    found.push(...(await findDestructive({ path: change.path, text, before, known, isOurs })))
  }
  return found
}
