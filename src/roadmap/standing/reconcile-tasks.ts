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
  type BrokenGroup,
  findBrokenGroups,
  heldBack,
  judgePart,
  type Outside,
  takesBack,
} from './judge-groups.ts'
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
  /** Groups of tasks that are wanted only together, one of which failed for good. */
  readonly groups: readonly BrokenGroup[]
  /** Open tasks of such a group that are tried again, because a person named one of them. */
  readonly reopened: readonly string[]
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
  const byName = new Map(input.branches.map((branch) => [branch.name, branch]))
  const left = input.branches.filter((branch) => !isRolledBack(branch))
  const undone = new Set(input.branches.filter(isRolledBack).map(({ name }) => name))
  const pullRequests = newestByHead(input.pullRequests)
  const branches = new Map(left.map((branch) => [branch.name, branch]))
  const outside = { branches, undone, pullRequests }
  const results: Record<string, TaskResult> = {}
  const orphans: { task: Task; branch: BranchTip }[] = []
  const questions: Record<string, readonly TaskQuestion[]> = {}
  const answers: Record<string, Answer> = {}
  const again = new Set(input.again)
  const named = new Set([...again, ...(input.only ?? [])])
  const isLost = (task: Task) => isLostFor(look(task, input, outside, noWish))
  const broken = findBrokenGroups(input.tasks, isLost, { branches: byName, pullRequests })
  const isNamed = ({ id }: Task) => named.has(id)
  const reopened = broken.filter(({ cause, parts }) => [cause, ...parts].some(isNamed))
  const anew = new Set(
    reopened.flatMap(({ cause, parts }) => [cause, ...parts]).map(({ id }) => id),
  )
  for (const current of input.tasks) {
    if (isSettled(current)) continue
    const { id } = current
    const wish = { asked: named.has(id) || anew.has(id), again: again.has(id) }
    const seen = look(current, input, outside, wish)
    const { found, branch, proposal, pullRequest } = seen
    const open = questionsOf([pullRequest, proposal])
    if (open.length > 0) questions[id] = open
    if (found !== undefined) results[id] = { ...found, id, start: branch?.parent ?? null }
    const byHand = found === undefined && approvalByHand(seen.task, proposal, input.base)
    if (byHand) answers[id] = byHand
    const orphaned = pullRequest === undefined && found?.verdict === 'in_review'
    if (orphaned && branch !== undefined) orphans.push({ task: seen.task, branch })
  }
  const groups = broken.filter((group) => !reopened.includes(group))
  for (const group of groups) {
    Object.assign(results, judgeGroup(group, results, { branches: byName, pullRequests }))
  }
  return {
    ...{ results, orphans, questions, answers, groups },
    reopened: [...anew].filter((id) => results[id] === undefined),
  }
}

interface Seen {
  /** With the identity that its work was begun under. */
  readonly task: Task
  readonly found: TaskResult | undefined
  readonly branch: BranchTip | undefined
  readonly pullRequest: PullRequest | undefined
  readonly proposal: PullRequest | undefined
}

const noWish = { asked: false, again: false }

/** What branches and pull requests say about one open task. */
function look(
  { former, ...current }: Task,
  input: Pick<Parameters<typeof reconcileTasks>[0], 'forge' | 'base' | 'onTop'>,
  { branches, undone, pullRequests }: Outside & { readonly undone: ReadonlySet<string> },
  { asked, again }: typeof noWish,
): Seen {
  const { forge, base } = input
  const task = { ...current, ...(former && isProposed(former, pullRequests) ? former : {}) }
  const of = (name: string) => {
    const found = pullRequests.get(name)
    return undone.has(name) && !takesBack(found) ? undefined : found
  }
  const branch = branches.get(branchOf(task.id))
  const pullRequest = of(branchOf(task.id))
  const proposal = of(recoveryBranchOf(task.id))
  const found =
    (pullRequest !== undefined
      ? pullRequest.state === 'merged'
        ? judgeMerged(task, pullRequest, { pullRequests, branches, base, asked })
        : judgePullRequest(task, pullRequest, branch, { asked, again })
      : branch && judgeBranch(task, branch, forge, asked)) ??
    (branch && !input.onTop?.includes(current.id) ? judgeStranger(task, branch) : undefined) ??
    judgeRecovery(task, { proposal, own: pullRequest, branches, asked, base, forge })
  return { task, found, branch, pullRequest, proposal }
}

/** True for a task that failed for good: it is left to a person, refused, or left out. */
function isLostFor({ found, branch, pullRequest }: Seen): boolean {
  if (found?.verdict === 'rejected' || found?.verdict === 'skipped') return true
  if (found?.verdict !== 'waiting' || takesBack(pullRequest)) return false
  return pullRequest === undefined
    ? branch?.trailers[trailer.outcome] === 'needs-human'
    : pullRequest.labels.includes(label.needsHuman)
}

/** The verdicts on a broken group's parts, and on its cause where nothing else tells of the failure. */
function judgeGroup(
  group: BrokenGroup,
  results: Reconciled['results'],
  outside: Outside,
): Reconciled['results'] {
  const { cause, parts } = group
  const reason = 'it failed, and the tasks that belong together with it were rolled back'
  const parted = parts.flatMap((part) => {
    const found = judgePart(part, group, outside)
    if (found === 'done') return []
    return [[part.id, found ?? results[part.id] ?? heldBack(part, group)] as const]
  })
  return {
    [cause.id]: results[cause.id] ?? untouchedResult(cause, { verdict: 'failed', reason }),
    ...Object.fromEntries(parted),
  }
}

/** Returns true when an earlier version opened a pull request for the task; its branch may be gone. */
function isProposed(
  { id, fingerprint }: Pick<Task, 'id' | 'fingerprint'>,
  pullRequests: ReadonlyMap<string, PullRequest>,
): boolean {
  const bodies = [branchOf(id), recoveryBranchOf(id)].map((name) => pullRequests.get(name)?.body)
  return bodies.some((body) => readTaskMarker(body ?? '')?.fingerprint === fingerprint)
}

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
