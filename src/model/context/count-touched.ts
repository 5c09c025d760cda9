import { changesOf, openTree } from '../../../packages/change/change.ts'
import type { Receipt } from '../../../packages/judge/judge.ts'
import { counterparts, isTestFile } from '../../../packages/source/source.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { Ports } from '../../core/ports.ts'
import { indexedPaths, lookUpAt } from './find-code.ts'

type Places = Pick<Ports, 'workspace' | 'settings'>

/**
 * Counts the files that import what the change modifies or deletes, tests aside, and those of them that have a test.
 * Empty without an index.
 */
export async function countTouched(
  { draft, start }: Pick<Attempt, 'draft' | 'start'>,
  { workspace, settings }: Places,
): Promise<Pick<Receipt, 'touches'>> {
  const changes = changesOf(draft).filter(({ action }) => action !== 'create')
  const changed = new Set(changes.map(({ path }) => path))
  const { files } = await openTree(start.sha, workspace)
  const paths = indexedPaths(files, settings.roadmap)
  if (changed.size === 0 || paths.length === 0) return {}
  const touches = await lookUpAt(workspace, start.sha)?.(paths, (index) => {
    const all = new Set([...changed].flatMap((path) => index.importers(path)))
    const importers = [...all].filter((path) => !changed.has(path) && !isTestFile(path))
    const isTested = (path: string) =>
      counterparts(path, paths).length > 0 || index.importers(path).some((each) => isTestFile(each))
    return { importers: importers.length, tested: importers.filter(isTested).length }
  })
  return touches == null ? {} : { touches }
}
