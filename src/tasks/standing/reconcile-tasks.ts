import { isSettled, type Task } from '../../../packages/task/task.ts'
import type { Answer } from '../../core/domain/answer.ts'
import { branchOf, recoveryBranchOf, taskIdOfKeptRef } from '../../core/domain/branches.ts'
import {
  isRolledBack,
  label,
  readTaskMarker,
  startOfTip,
  tasksOfTip,
  trailer,
} from '../../core/domain/identity.ts'
import { sayOvertaken } from '../../core/domain/overtaken.ts'
import type { RunState, TaskQuestion } from '../../core/domain/run-state.ts'
import type { TaskResult, Verdict } from '../../core/domain/verdict.ts'
import type { Forge, PullRequest } from '../../core/ports/forge.ts'
import type { BranchTip } from '../../core/ports/workspace.ts'
import { newestByHead } from '../start/order-stack.ts'
import { type Carrier, findCarriers, isOurs, type OwnWork } from './find-own-work.ts'
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
  isFor,
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
  readonly orphans: readonly { readonly tasks: readonly Task[]; readonly branch: BranchTip }[]
  /** Pull requests that ask people about a task, by task id. */
  readonly questions: RunState['tasks']['questions']
  /** Approvals by a manual merge; only the saved attempt knows whether a change was waiting for one. */
  readonly answers: RunState['asked']['answers']
  /** Groups of tasks that are wanted only together, one of which failed for good. */
  readonly groups: readonly BrokenGroup[]
  /** Open tasks of such a group that are tried again, because a person named one of them. */
  readonly reopened: readonly string[]
  /** Members, by their first, of groups of small tasks that a person wants worked on again. */
  readonly members: Readonly<Record<string, readonly string[]>>
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
  /** Finished commits that their branch lacks, by task, because someone else pushed. */
  readonly kept?: OwnWork['kept']
}): Reconciled {
  const byName = new Map(input.branches.map((branch) => [branch.name, branch]))
  const left = input.branches.filter((branch) => !isRolledBack(branch))
  const undone = new Set(input.branches.filter(isRolledBack).map(({ name }) => name))
  const pullRequests = newestByHead(input.pullRequests)
  const branches = new Map(left.map((branch) => [branch.name, branch]))
  const carriers = findCarriers(branches, pullRequests)
  const outside = { branches, undone, pullRequests, carriers }
  const results: Record<string, TaskResult> = {}
  const orphans = new Map<string, { tasks: Task[]; branch: BranchTip }>()
  const questions: Record<string, readonly TaskQuestion[]> = {}
  const answers: Record<string, Answer> = {}
  const members = findGroups(input, carriers)
  const again = new Set([...(input.again ?? []), ...Object.values(members).flat()])
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
    if (found !== undefined)
      results[id] = { ...found, id, start: branch ? startOfTip(branch) : null }
    const byHand = found === undefined && approvalByHand(seen.task, proposal, input.base)
    if (byHand) answers[id] = byHand
    const orphaned = pullRequest === undefined && found?.verdict === 'in_review'
    if (orphaned && branch !== undefined) {
      const earlier = orphans.get(branch.name)?.tasks ?? []
      orphans.set(branch.name, { tasks: [...earlier, seen.task], branch })
    }
  }
  const groups = broken.filter((group) => !reopened.includes(group))
  for (const group of groups) {
    Object.assign(results, judgeGroup(group, results, { branches: byName, pullRequests }))
  }
  return {
    ...{ results, orphans: [...orphans.values()], questions, answers, groups, members },
    reopened: [...anew].filter((id) => results[id] === undefined),
  }
}

/** The groups whose first task, and so whose branch, a person wants worked on again. */
function findGroups(
  { again = [], tasks }: Pick<Parameters<typeof reconcileTasks>[0], 'again' | 'tasks'>,
  carriers: ReadonlyMap<string, Carrier>,
): Reconciled['members'] {
  const open = tasks.filter((task) => !isSettled(task)).map(({ id }) => id)
  const groups = again.flatMap((id) => {
    const ids = open.filter((each) => {
      const carrier = carriers.get(each)
      return carrier?.head === branchOf(id) && carrier.left === undefined
    })
    return ids.includes(id) && ids.length > 1 ? [[id, ids] as const] : []
  })
  return Object.fromEntries(groups)
}

interface Seen {
  /** With the identity that its work was begun under. */
  readonly task: Task
  readonly found: TaskResult | undefined
  readonly branch: BranchTip | undefined
  readonly pullRequest: PullRequest | undefined
  readonly proposal: PullRequest | undefined
}

interface Surroundings extends Outside {
  readonly undone: ReadonlySet<string>
  readonly carriers: ReadonlyMap<string, Carrier>
}

const noWish = { asked: false, again: false }

/** What branches and pull requests say about one open task. */
function look(
  { former, ...current }: Task,
  input: Pick<Parameters<typeof reconcileTasks>[0], 'forge' | 'base' | 'kept'>,
  { branches, undone, pullRequests, carriers }: Surroundings,
  { asked, again }: typeof noWish,
): Seen {
  const { forge, base } = input
  const task = { ...current, ...(former && isProposed(former, pullRequests) ? former : {}) }
  const of = (name: string) => {
    const found = pullRequests.get(name)
    return undone.has(name) && !takesBack(found) ? undefined : found
  }
  const { head, left } = carriers.get(task.id) ?? {}
  const name = head === undefined || left !== undefined ? branchOf(task.id) : head
  const branch = branches.get(name)
  const pullRequest = of(name)
  const proposal = of(recoveryBranchOf(task.id))
  const isOut = left?.why === 'skip' && left.fingerprint === task.fingerprint && !asked
  const isOpen = pullRequest === undefined || pullRequest.state === 'open'
  const isWanted = isOpen && !asked && left === undefined && !undone.has(name)
  const kept = isWanted ? keptWith(task, input.kept) : undefined
  const found =
    (isOut ? leftOut(task, pullRequests.get(head ?? '')) : undefined) ??
    (kept && judgeKept(task, kept, { branches, pullRequest, forge })) ??
    (pullRequest !== undefined
      ? pullRequest.state === 'merged'
        ? judgeMerged(task, pullRequest, { pullRequests, branches, base, asked })
        : judgePullRequest(task, pullRequest, branch, { asked, again })
      : branch && judgeBranch(task, branch, forge, asked)) ??
    (branch && !asked ? judgeStranger(task, branch) : undefined) ??
    judgeRecovery(task, { proposal, own: pullRequest, branches, asked, base, forge })
  return { task, found, branch, pullRequest, proposal }
}

/** The verdict on a task that a person took out of a group. */
function leftOut(task: Task, pullRequest: PullRequest | undefined): TaskResult | undefined {
  if (pullRequest === undefined) return undefined
  const { number, url } = pullRequest
  const reason = `taken out of #${number}; name the task to try it`
  return untouchedResult(task, { verdict: 'skipped', reason, pullRequest: { number, url } })
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
  const sameText = isFor(task, pullRequest.body)
  const { number, url, head, state, labels } = pullRequest
  const found = (verdict: Verdict, reason: string) =>
    foundResult(task, { verdict, reason, branch: head, pullRequest: { number, url } })
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
  if (stranger !== undefined) return asked ? undefined : stranger
  if (outcome === 'needs-human') {
    return asked
      ? undefined
      : foundResult(task, { reason: `${branch.name} holds a failed attempt` })
  }
  const bound = tasksOfTip(branch).find(({ id }) => id === task.id)
  if (bound?.fingerprint !== task.fingerprint) {
    const reason = `${branch.name} holds work for an earlier text of this task: merge or delete it`
    return foundResult(task, { reason, branch: branch.name })
  }
  const verdict =
    forge === 'local' ? (outcome === 'unverified' ? 'unverified' : 'done') : 'in_review'
  const reason = `on ${branch.name} since an earlier run`
  return foundResult(task, { verdict, reason, branch: branch.name, sha: branch.sha })
}

/** Someone else's work: the task is done on top of it when a person asks for that. */
function judgeStranger(task: Task, tip: BranchTip): TaskResult | undefined {
  const reason = `the executor did not write the last commit on ${tip.name}: rename or delete the branch, or name the task to build on it`
  return isOurs(tip, task.id) ? undefined : foundResult(task, { reason, branch: tip.name })
}

/** The kept commit with this task, alone or in a group, unless it was made for an earlier text. */
const keptWith = (
  { id, fingerprint }: Task,
  kept: OwnWork['kept'] = new Map(),
): BranchTip | undefined =>
  [...kept.values()].find((tip) =>
    tasksOfTip(tip).some((each) => each.id === id && each.fingerprint === fingerprint),
  )

/** Finished work that a person has to join with theirs. */
function judgeKept(
  task: Task,
  { name: ref, sha }: BranchTip,
  around: Pick<Outside, 'branches'> & Pick<Seen, 'pullRequest'> & { readonly forge: Forge['kind'] },
): TaskResult {
  const { branches, pullRequest, forge } = around
  const name = branchOf(taskIdOfKeptRef(ref) ?? task.id)
  const theirs = branches.get(name)?.sha ?? null
  const pull = pullRequest && { number: pullRequest.number, url: pullRequest.url }
  const reason = sayOvertaken({ forge, branch: name, ref, ours: sha, theirs })
  return foundResult(task, { reason, branch: name, pullRequest: pull ?? null })
}

/** The result that a task's branch implies; `waiting` by default. */
const foundResult = (task: Task, facts: Pick<TaskResult, 'reason'> & Partial<TaskResult>) =>
  untouchedResult(task, { verdict: 'waiting', branch: branchOf(task.id), ...facts })
