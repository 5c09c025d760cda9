import { branchOf, keptRefOf, taskIdOfBranch, taskIdOfKeptRef } from '../../core/domain/branches.ts'
import {
  type CommitOutcome,
  leftGroup,
  tasksInBody,
  tasksOfTip,
  trailer,
} from '../../core/domain/identity.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type {
  BranchTip,
  CommitRecord,
  RepositoryView,
  Workspace,
} from '../../core/ports/workspace.ts'

export interface OwnWork {
  /**
   * The tasks' branches. One with someone else's commits on top of our finished work has the trailers of that
   * work: a rebase or a merge by hand keeps it.
   */
  readonly branches: readonly BranchTip[]
  /** By task: our finished commit that its branch lacks, so that a person decides. */
  readonly kept: ReadonlyMap<string, BranchTip>
  /** Kept commits that their branch, or the base, has got by now. */
  readonly settled: readonly BranchTip[]
}

type Reads = Pick<Workspace, 'history' | 'contains'>

/** Finds our work on the branches and beside them. Without other people's commits it asks git nothing. */
export async function findOwnWork(
  { base, branches: tips }: RepositoryView,
  workspace: Reads,
): Promise<OwnWork> {
  const ofTask = async (id: string, tip: BranchTip): Promise<readonly CommitRecord[]> =>
    workspace.history(tip.sha, { without: base.sha, having: { name: trailer.task, value: id } })
  const branches: BranchTip[] = []
  const kept = new Map<string, BranchTip>()
  const settled: BranchTip[] = []
  for (const tip of tips) {
    const id = taskIdOfBranch(tip.name)
    const isOwn = id === null || isOurs(tip, id)
    const newest = isOwn ? undefined : (await ofTask(id, tip)).find(hasOutcome)
    branches.push(
      newest !== undefined && isFinished(newest) ? { ...tip, trailers: newest.trailers } : tip,
    )
  }
  for (const tip of tips) {
    const id = taskIdOfKeptRef(tip.name)
    // Anyone who may push can make such a ref.
    if (id === null || tip.name !== keptRefOf(id, tip.sha) || !isFinishedFor(tip, id)) continue
    const branch = tips.find(({ name }) => name === branchOf(id))
    const same = async (on: BranchTip) =>
      (await workspace.contains(on.sha, tip.sha)) ||
      (await ofTask(id, on)).some((each) => isFinished(each) && isSameAttempt(each, tip))
    const isThere = branch !== undefined && (await same(branch))
    if (isThere || (await workspace.contains(base.sha, tip.sha))) settled.push(tip)
    else kept.set(id, tip)
  }
  return { branches, kept, settled }
}

type Trailers = Pick<BranchTip, 'trailers'>

/** True when the executor wrote the last commit of a task's branch. */
export const isOurs = (tip: Trailers, id: string): boolean =>
  hasOutcome(tip) && tasksOfTip(tip).some((task) => task.id === id)

const hasOutcome = ({ trailers }: Trailers): boolean => trailers[trailer.outcome] !== undefined

const finished: readonly CommitOutcome[] = ['done', 'unverified']

const isFinished = ({ trailers }: Trailers): boolean =>
  finished.some((outcome) => outcome === trailers[trailer.outcome])

const isFinishedFor = (tip: Trailers, id: string): boolean => isOurs(tip, id) && isFinished(tip)

/** A rebase changes a commit's name and keeps its message. */
export const isSameAttempt = (one: Trailers, other: Trailers): boolean =>
  one.trailers[trailer.run] !== undefined &&
  ([trailer.run, trailer.attempt] as const).every(
    (name) => one.trailers[name] === other.trailers[name],
  )

/** The branch of a group that one of its tasks is on. */
export interface Carrier {
  readonly head: string
  /** A person took the task out of the group, with these words of it. */
  readonly left?: { readonly fingerprint: string; readonly why: 'retry' | 'skip' } | undefined
}

/**
 * The branches that hold tasks of groups, by task: the first one's branch. A task with a branch or a newer pull
 * request of its own has left its group.
 *
 * @param pullRequests the newest of each head branch
 */
export function findCarriers(
  branches: ReadonlyMap<string, BranchTip>,
  pullRequests: ReadonlyMap<string, PullRequest>,
): ReadonlyMap<string, Carrier> {
  const found = new Map<string, Carrier & { readonly number: number }>()
  const note = (ids: readonly string[], head: string, number: number, body = '') => {
    const left = leftGroup(body)
    const isGroup = ids.length > 1 && ids.some((id) => branchOf(id) === head)
    for (const id of isGroup ? ids : []) {
      const own = branchOf(id)
      const hasOwn = branches.has(own) || (pullRequests.get(own)?.number ?? -1) > number
      const isOlder = (found.get(id)?.number ?? -1) > number
      if ((own === head || !hasOwn) && !isOlder) found.set(id, { head, number, left: left.get(id) })
    }
  }
  for (const { head, number, body } of pullRequests.values()) {
    note(idsOf(tasksInBody(body)), head, number, body)
  }
  for (const tip of branches.values()) {
    if (!pullRequests.has(tip.name)) note(idsOf(tasksOfTip(tip)), tip.name, 0)
  }
  return found
}

const idsOf = (tasks: readonly { readonly id: string }[]): readonly string[] =>
  tasks.map(({ id }) => id)

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
  workspace: Pick<Workspace, 'contains' | 'compare'>,
): Promise<Readonly<Record<string, TaskResult>>> {
  const judged = await Promise.all(
    Object.entries(results).map(async ([id, result]) => {
      const { verdict, branch, sha } = result
      if ((verdict !== 'done' && verdict !== 'unverified') || branch === null || sha === null)
        return [id, result] as const
      if (await workspace.contains(sha, base.sha)) return [id, result] as const
      const { merge } = await workspace.compare({ ours: sha, theirs: base.sha, base: base.sha })
      const paths =
        merge.status === 'conflict' ? merge.paths.filter((path) => path !== roadmap) : []
      const [first, ...others] = paths
      if (first === undefined) return [id, result] as const
      const more = others.length > 0 ? ` and ${others.length} more` : ''
      const reason = `${branch} conflicts with ${base.branch} in ${first}${more}: ${rebase(branch, base.branch)}`
      return [id, { ...result, verdict: 'waiting', reason } as const] as const
    }),
  )
  return Object.fromEntries(judged)
}

/** The command that brings a branch onto the base; git stops at each conflict. */
export const rebase = (branch: string, base: string): string => `git rebase ${base} ${branch}`
