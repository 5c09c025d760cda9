/** What is ours on a branch: told by trailers, name and committer, never by what we remember. */
import { type CommitOutcome, isRolledBack, trailer } from '../../core/domain/identity.ts'
import { taskIdOfBranch, taskIdOfRecoveryBranch } from '../../core/domain/task-id.ts'
import type { BranchTip, CommitRecord, RepositoryView } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'

/** The commits of one branch of ours that the base does not have. */
export interface Line {
  readonly task: string
  readonly tip: BranchTip
  /** Ours, for this task, and in effect; newest first. */
  readonly own: readonly CommitRecord[]
  /** Of other people's, since the oldest of ours; all of them where none is ours. */
  readonly strangers: readonly CommitRecord[]
  /** How many commits by first parent: what is built on another branch has more than it. */
  readonly depth: number
  /** Nothing of ours is in effect any more. */
  readonly isOver: boolean
}

const outcomes: readonly CommitOutcome[] = [
  'done',
  'unverified',
  'needs-human',
  'replaced',
  'asked',
]

/** The task that a branch of ours is about. */
const taskOf = ({ name }: Pick<BranchTip, 'name'>): string | null =>
  taskIdOfBranch(name) ?? taskIdOfRecoveryBranch(name)

/** `null` for a branch whose name is no task's. */
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

/** A commit that holds work on this task, or a proposal about it. */
export const isWork = ({ trailers }: Pick<CommitRecord, 'trailers'>, task: string): boolean =>
  trailers[trailer.task] === task &&
  trailers[trailer.reverts] === undefined &&
  outcomes.some((outcome) => outcome === trailers[trailer.outcome])

/** The commits that these take back. */
export const revertedBy = (commits: readonly CommitRecord[]): ReadonlySet<string> =>
  new Set(commits.flatMap(({ trailers }) => trailers[trailer.reverts] ?? []))

/** Made by us so that the branch can be merged; it bears the trailers of the work below it. */
const joinsBase = ({ parents, title }: CommitRecord, branch: string): boolean =>
  parents.length > 1 && /^(?:Merge|Join) /.test(title) && title.endsWith(` into ${branch}`)
