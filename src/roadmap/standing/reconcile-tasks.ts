import type { Answer } from '../../core/domain/answer.ts'
import { isRolledBack, label, readTaskMarker, trailer } from '../../core/domain/identity.ts'
import type { RunState, TaskQuestion } from '../../core/domain/run-state.ts'
import { isSettled, type Task } from '../../core/domain/task.ts'
import { branchOf, recoveryBranchOf } from '../../core/domain/task-id.ts'
import type { TaskResult, Verdict } from '../../core/domain/verdict.ts'
import type { Forge, PullRequest } from '../../core/ports/forge.ts'
import type { BranchTip } from '../../core/ports/workspace.ts'
import { newestByHead } from '../start/order-stack.ts'
import {
  approvalByHand,
  judgeClosed,
  judgeMerged,
  judgeRecovery,
  questionsOf,
} from './judge-pull-requests.ts'
import { untouchedResult } from './untouched-result.ts'

/** The facts that repository and forge have about the tasks when a run starts. */
export interface Reconciled {
  /** Verdicts of earlier runs; a task without one is still to do. */
  readonly results: Readonly<Record<string, TaskResult>>
  /** Finished branches without a pull request: the run died before it, or was not allowed to open one. */
  readonly orphans: readonly { readonly task: Task; readonly branch: BranchTip }[]
  /** Pull requests that ask people about a task, by task id. */
  readonly questions: RunState['tasks']['questions']
  /** Approvals by a manual merge; only the saved attempt knows whether a change was waiting for one. */
  readonly answers: RunState['asked']['answers']
}

/**
 * Derives from the roadmap at the base commit, the branches and the pull requests which tasks are done, in review,
 * refused, or waiting for a person. It does not use the executor's stored state, since a fresh runner has none. A
 * task named in `only` is tried again after a refusal or a failed attempt.
 */
export function reconcileTasks(input: {
  readonly tasks: readonly Task[]
  readonly branches: readonly BranchTip[]
  /** Newest first. */
  readonly pullRequests: readonly PullRequest[]
  readonly forge: Forge['kind']
  readonly only: readonly string[] | null
  /** The branch that the roadmap is read from. */
  readonly base: string
  /** Tasks that a person wants worked on again: an open pull request is no verdict on them. */
  readonly again?: readonly string[]
  /** Of those, tasks whose next attempt builds on their branch, no matter who wrote its last commit. */
  readonly onTop?: readonly string[]
}): Reconciled {
  const left = input.branches.filter((branch) => !isRolledBack(branch))
  const branches = new Map(left.map((branch) => [branch.name, branch]))
  const undone = new Set(input.branches.filter(isRolledBack).map(({ name }) => name))
  const pullRequests = newestByHead(input.pullRequests)
  const results: Record<string, TaskResult> = {}
  const orphans: { task: Task; branch: BranchTip }[] = []
  const questions: Record<string, readonly TaskQuestion[]> = {}
  const answers: Record<string, Answer> = {}
  for (const { former, ...current } of input.tasks) {
    if (isSettled(current)) continue
    const task = { ...current, ...(former && isProposed(former, pullRequests) ? former : {}) }
    const branch = branches.get(branchOf(task.id))
    const of = (name: string) => {
      const found = pullRequests.get(name)
      return undone.has(name) && !takesBack(found) ? undefined : found
    }
    const pullRequest = of(branchOf(task.id))
    const proposal = of(recoveryBranchOf(task.id))
    const again = input.again?.includes(current.id) ?? false
    const asked = again || (input.only?.includes(current.id) ?? false)
    const found =
      (pullRequest !== undefined
        ? pullRequest.state === 'merged'
          ? judgeMerged(task, pullRequest, { pullRequests, branches, base: input.base, asked })
          : judgePullRequest(task, pullRequest, branch, { asked, again })
        : branch && judgeBranch(task, branch, input.forge, asked)) ??
      (branch && !input.onTop?.includes(current.id) ? judgeStranger(task, branch) : undefined) ??
      judgeRecovery(task, {
        proposal,
        own: pullRequest,
        branches,
        asked,
        base: input.base,
        forge: input.forge,
      })
    const open = questionsOf([pullRequest, proposal])
    if (open.length > 0) questions[current.id] = open
    if (found !== undefined) {
      results[current.id] = { ...found, id: current.id, start: branch?.parent ?? null }
    }
    const byHand = found === undefined && approvalByHand(task, proposal, input.base)
    if (byHand) answers[current.id] = byHand
    const orphaned = pullRequest === undefined && found?.verdict === 'in_review'
    if (orphaned && branch !== undefined) orphans.push({ task, branch })
  }
  return { results, orphans, questions, answers }
}

/** Returns true when an earlier version opened a pull request for the task; its branch may be gone. */
function isProposed(
  { id, fingerprint }: Pick<Task, 'id' | 'fingerprint'>,
  pullRequests: ReadonlyMap<string, PullRequest>,
): boolean {
  const bodies = [branchOf(id), recoveryBranchOf(id)].map((name) => pullRequests.get(name)?.body)
  return bodies.some((body) => readTaskMarker(body ?? '')?.fingerprint === fingerprint)
}

/** True for an open pull request that reverts merged work. */
const takesBack = (pullRequest: PullRequest | undefined): boolean =>
  pullRequest?.state === 'open' && pullRequest.labels.includes(label.rolledBack)

function judgePullRequest(
  task: Task,
  pullRequest: PullRequest,
  branch: BranchTip | undefined,
  { asked, again }: { readonly asked: boolean; readonly again: boolean },
): TaskResult | undefined {
  const sameText = readTaskMarker(pullRequest.body)?.fingerprint === task.fingerprint
  const { number, url, state, labels } = pullRequest
  const found = (verdict: Verdict, reason: string) =>
    foundResult(task, { verdict, reason, pullRequest: { number, url } })
  if (state === 'closed') {
    return sameText && !asked ? judgeClosed(number, labels, found) : undefined
  }
  if (again) return undefined
  if (takesBack(pullRequest)) return found('waiting', `#${number} would revert its work`)
  if (labels.includes(label.needsHuman)) {
    return asked ? undefined : found('waiting', `#${number} needs a person`)
  }
  const changed = `the task's text changed since #${number} was opened`
  return {
    ...found('in_review', sameText ? '' : changed),
    sha: branch?.sha ?? pullRequest.headSha,
  }
}

function judgeBranch(
  task: Task,
  branch: BranchTip,
  forge: Forge['kind'],
  asked: boolean,
): TaskResult | undefined {
  const outcome = branch.trailers[trailer.outcome]
  const stranger = judgeStranger(task, branch)
  if (stranger !== undefined) return stranger
  if (outcome === 'needs-human') {
    return asked
      ? undefined
      : foundResult(task, { reason: `${branch.name} holds a failed attempt` })
  }
  if (branch.trailers[trailer.fingerprint] !== task.fingerprint) {
    const reason = `${branch.name} holds work for an earlier text of this task: merge or delete it`
    return foundResult(task, { reason })
  }
  const verdict =
    forge === 'local' ? (outcome === 'unverified' ? 'unverified' : 'done') : 'in_review'
  const reason = `on ${branch.name} since an earlier run`
  return foundResult(task, { verdict, reason, sha: branch.sha })
}

/** Work by the executor would bury a commit that someone else added to the branch. */
function judgeStranger(task: Task, { name, trailers }: BranchTip): TaskResult | undefined {
  const ours = trailers[trailer.task] === task.id && trailers[trailer.outcome] !== undefined
  const reason = `the executor did not write the last commit on ${name}: rename or delete the branch`
  return ours ? undefined : foundResult(task, { reason })
}

/** The result that a task's branch implies; `waiting` by default. */
const foundResult = (task: Task, facts: Pick<TaskResult, 'reason'> & Partial<TaskResult>) =>
  untouchedResult(task, { verdict: 'waiting', branch: branchOf(task.id), ...facts })
