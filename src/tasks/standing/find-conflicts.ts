import { nameSome } from '../../../packages/text/text.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import type { RepositoryView, Workspace } from '../../core/ports/workspace.ts'

/** The most files that a reason names. */
const mostPaths = 3

/**
 * The results, in which finished work that conflicts with the base waits for a person: its branch cannot be merged as it
 * is. A conflict in the roadmap alone does not count, since new tasks next to a ticked one cause it.
 *
 * @param roadmap path of the roadmap
 */
export async function withConflicts(
  results: Readonly<Record<string, TaskResult>>,
  base: RepositoryView['base'],
  roadmap: string,
  workspace: Pick<Workspace, 'merge'>,
): Promise<Readonly<Record<string, TaskResult>>> {
  const judged = await Promise.all(
    Object.entries(results).map(async ([id, result]) => {
      const { verdict, branch, sha } = result
      if ((verdict !== 'done' && verdict !== 'unverified') || branch === null || sha === null)
        return [id, result] as const
      const request = { ours: base.sha, theirs: sha, message: '', strategy: 'merge' } as const
      const merged = await workspace.merge({ ...request, resolve: new Map() })
      const paths =
        merged.status === 'conflict' ? merged.paths.filter((path) => path !== roadmap) : []
      if (paths.length === 0) return [id, result] as const
      const reason = `${branch} conflicts with ${base.branch} in ${nameSome(paths, mostPaths)}: ${rebase(branch, base.branch)}`
      return [id, { ...result, verdict: 'waiting', reason } as const] as const
    }),
  )
  return Object.fromEntries(judged)
}

/** The command that brings a branch onto the base; git stops at each conflict. */
export const rebase = (branch: string, base: string): string => `git rebase ${base} ${branch}`
