import type { Workspace } from '../../core/ports/workspace.ts'
import type { AskIndex, IndexPlace } from '../sqlite-index.ts'
import type { Clone } from './clone.ts'
import { listCommits, readCommitFiles } from './past-commits.ts'
import { readTexts, type Tree } from './trees.ts'

/** Asks an index about files of this clone's commits; loads its code at the first question. */
export function lookUpIn(
  place: IndexPlace,
  clone: Clone,
  readTree: (sha: string) => Promise<Tree>,
): NonNullable<Workspace['lookUp']> {
  let opened: Promise<AskIndex> | null = null
  return async (sha, paths, ask) => {
    opened ??= import('../sqlite-index.ts').then(({ createSqliteIndex }) =>
      createSqliteIndex(place),
    )
    const index = await opened
    const tree = await readTree(sha)
    const files = paths.flatMap((path) => tree.get(path) ?? [])
    const sources = {
      readTexts: (wanted: readonly string[]) => readTexts(clone, tree, wanted),
      listCommits: () => listCommits(clone, sha),
      readCommits: (shas: readonly string[]) => readCommitFiles(clone, shas),
    }
    return index(files, sources, ask)
  }
}
