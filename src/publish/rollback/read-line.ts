/** Finds our commits on a branch by trailers, name and committer, never by stored knowledge. */

import { taskIdOfBranch, taskIdOfRecoveryBranch } from '../../core/domain/branches.ts'
import { isRolledBack, trailer, workOutcomes } from '../../core/domain/identity.ts'
import type { BranchTip, CommitRecord, RepositoryView } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'

/** The commits of one of our branches that the base does not have. */
export interface Line {
  readonly task: string
  readonly tip: BranchTip
  /** Ours, for this task, and in effect; newest first. */
  readonly own: readonly CommitRecord[]
  /** Other people's commits since our oldest; all of them if there is none. */
  readonly strangers: readonly CommitRecord[]
  /** Number of first-parent commits: a branch built on another has more. */
  readonly depth: number
  /** None of our commits is in effect any longer. */
  readonly isOver: boolean
}

/** The task of one of our branches. */
const taskOf = ({ name }: Pick<BranchTip, 'name'>): string | null =>
  taskIdOfBranch(name) ?? taskIdOfRecoveryBranch(name)

/** `null` for a branch whose name is not a task's. */
export async function readLine(
  tip: BranchTip,
  { base }: Pick<RepositoryView, 'base'>,
  { workspace, settings }: Pick<Ports, 'workspace' | 'settings'>,
): Promise<Line | null> {
  const task = taskOf(tip)
  if (task === null) return null
  const chain = await workspace.history(tip.sha, { without: base.sha })
  const back = revertedBy(chain)
  const isOurs = (commit: CommitRecord) =>
    isWork(commit, task) && commit.committer === settings.commit.email
  const own = chain.filter(
    (commit) => isOurs(commit) && !back.has(commit.sha) && !joinsBase(commit, tip.name),
  )
  const oldest = chain.findLastIndex(isOurs)
  const span = oldest === -1 ? chain : chain.slice(0, oldest)
  return {
    task,
    tip,
    own,
    strangers: span.filter(({ trailers }) => trailers[trailer.task] === undefined),
    depth: chain.length,
    isOver: own.length === 0 && isRolledBack(tip),
  }
}

/** A commit with work on this task, or with a proposal about it. */
export const isWork = ({ trailers }: Pick<CommitRecord, 'trailers'>, task: string): boolean =>
  trailers[trailer.task] === task &&
  trailers[trailer.reverts] === undefined &&
  workOutcomes.some((outcome) => outcome === trailers[trailer.outcome])

/** The commits that these revert. */
export const revertedBy = (commits: readonly CommitRecord[]): ReadonlySet<string> =>
  new Set(commits.flatMap(({ trailers }) => trailers[trailer.reverts] ?? []))

/** Our merge that made the branch mergeable; it has the trailers of the work below it. */
const joinsBase = ({ parents, title }: CommitRecord, branch: string): boolean =>
  parents.length > 1 && /^(?:Merge|Join) /.test(title) && title.endsWith(` into ${branch}`)
