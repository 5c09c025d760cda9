import type { Git } from './git.ts'
import { readFigures } from './history.ts'
import type { Pull, PullFigures } from './records.ts'
import type { Repository } from './store.ts'

/** The tree that a merge gives, or `null` on a conflict. Needs git 2.38. */
export async function mergedTree(git: Git, base: string, head: string): Promise<string | null> {
  const { exitCode, stdout } = await git.run(['merge-tree', '--write-tree', base, head])
  return exitCode === 0 ? stdout.trim() : null
}

/** Worked out once for each pair of commits. */
export async function figuresOf({ git, figures }: Repository, pull: Pull): Promise<PullFigures> {
  const { baseSha, headSha } = pull
  const key = `${baseSha} ${headSha}`
  const known = figures.get(key)
  if (known !== undefined) return known
  const [commits, changes, tree] = await Promise.all([
    git.count(`${baseSha}..${headSha}`),
    readFigures(git, baseSha, headSha),
    mergedTree(git, baseSha, headSha),
  ])
  const figure = { commits, ...changes, mergeable: tree !== null }
  figures.set(key, figure)
  return figure
}
