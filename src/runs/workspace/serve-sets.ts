import type { Task } from '../../../packages/task/task.ts'
import { taskIdOfBranch } from '../../core/domain/branches.ts'
import { label } from '../../core/domain/identity.ts'
import { secondsBefore } from '../../core/domain/instant.ts'
import type { Discussion } from '../../core/ports/discussion.ts'
import type { Ports } from '../../core/ports.ts'
import type { TaskSet } from '../../publish/report/workspace-report.ts'
import { halfwayMarker, setMarker } from '../../publish/report/write-set-comment.ts'
import { findApproval } from '../commands/find-approval.ts'
import { fortnight, isSwitchedOff, mayCommand } from '../pass.ts'
import { type DoneOperation, planRollback, rollBack } from '../rollback/roll-back.ts'
import {
  type Approval,
  mergeSet,
  obstacleText,
  type SetMember,
  type SetMerge,
} from './merge-set.ts'
import { nameOneAnother } from './name-one-another.ts'
import { orProblem, type Repositories, setMembers } from './repositories.ts'
import type { ReadableRepository } from './repository-doors.ts'

/** A repository of a workspace whose pull requests and discussions are served. */
export interface ServedRepository extends ReadableRepository {
  readonly ports: Ports
  readonly discussion: Discussion
}

type Member = Awaited<ReturnType<typeof setMembers<ServedRepository>>>[number]

/**
 * Makes one pass over the sets of a workspace: merges approved pull requests in order, those of an atomic set all or none,
 * and lets those of a set name one another. Proposes to revert the merged part of an atomic set whose next merge
 * fails. Can be killed anywhere and repeated: a pass with nothing to do writes nothing.
 *
 * @returns problems for a person, one sentence each: a set with a repository that cannot be read does not stop the others
 */
export async function serveSets(
  workspace: Repositories<ServedRepository>,
  say: (sentence: string) => void,
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const set of workspace.sets) {
    const found = await orProblem(serveSet(workspace, set, say))
    const sentences = typeof found === 'string' ? [found] : found
    problems.push(...sentences.map((sentence) => `set ${set.name}: ${sentence}`))
  }
  return problems
}

async function serveSet(
  workspace: Repositories<ServedRepository>,
  set: TaskSet,
  say: (sentence: string) => void,
): Promise<readonly string[]> {
  const members = await setMembers(workspace, set)
  if (!members.some(({ pullRequest }) => pullRequest?.state === 'open')) return []
  // Its comments say why.
  if (members.some(({ reverting }) => reverting !== null)) return []
  const approved = await Promise.all(members.map((member) => withApproval(member, set)))
  const stopped = approved.find(({ isStopped }) => isStopped)
  if (stopped !== undefined) {
    say(`set ${set.name}: ${stopped.repository} is switched off by the label ${label.stop}.`)
    return []
  }
  const heard = new Map<string, string>()
  const ended = await mergeInParts(set, approved, (task, how) => {
    heard.set(task, how === 'merged' ? 'merged' : 'in the merge queue')
    say(`set ${set.name}: ${task} is ${heard.get(task)}.`)
  })
  const merge = stillHalfway(ended, approved) ?? ended
  const halfway = merge.status === 'halfway' ? describeHalfway(merge) : null
  const states = Object.fromEntries(
    approved.map((member) => [member.task, heard.get(member.task) ?? stateOf(member, merge)]),
  )
  await nameOneAnother(set, approved, { by: 'approvals', halfway, states }, say)
  if (merge.status !== 'halfway') return []
  say(`set ${set.name}: ${halfway}`)
  return proposeReverts(merge, approved, say)
}

/** The members of another set than an atomic one are merged one by one, as far as they are ready. */
async function mergeInParts(
  { atomic }: TaskSet,
  members: readonly SetMember[],
  heard: Parameters<typeof mergeSet>[1],
): Promise<SetMerge> {
  const merged: string[] = []
  for (const part of atomic ? [members] : members.map((member) => [member])) {
    const merge = await mergeSet(part, heard)
    if (merge.status !== 'merged') return merge
    merged.push(...merge.merged)
  }
  return { status: 'merged', merged }
}

interface ApprovedMember extends Member {
  readonly approval: Approval | null
  readonly isStopped: boolean
  /** Our comment says that a merge failed after others. */
  readonly isHalfway: boolean
}

async function withApproval(member: Member, set: TaskSet): Promise<ApprovedMember> {
  const { pullRequest, opened } = member
  const { discussion, ports } = opened
  const overview = await discussion.overview()
  const isStopped = isSwitchedOff(overview)
  if (pullRequest?.state !== 'open')
    return { ...member, approval: null, isStopped, isHalfway: false }
  const now = ports.clock.now()
  const remarks = await discussion.remarksSince(secondsBefore(now, fortnight))
  const reviews = overview.pullRequests.flatMap((pull) => pull.reviews)
  const said = { remarks: [...remarks, ...reviews], now }
  const found = findApproval(pullRequest.number, said)
  const isValid =
    found !== null && ports.settings.merge.onApprove && (await mayCommand(found.by, discussion))
  const approval = isValid ? { sha: found.sha, login: found.by.login } : null
  const isHalfway = remarks.some(
    ({ isOurs, on, body }) =>
      isOurs &&
      on === pullRequest.number &&
      body.startsWith(setMarker(set)) &&
      body.includes(halfwayMarker),
  )
  const isIt = ({ number }: { readonly number: number }) => number === pullRequest.number
  const conflicts = overview.pullRequests.find(isIt)?.conflicts === true
  return { ...member, approval, conflicts, isStopped, isHalfway }
}

type Halfway = Extract<SetMerge, { readonly status: 'halfway' }>

/** A pass that was killed before it proposed the reverts is continued, even if the failed part is not ready any more. */
function stillHalfway(merge: SetMerge, members: readonly ApprovedMember[]): Halfway | null {
  if (merge.status !== 'not_ready' || !members.some(({ isHalfway }) => isHalfway)) return null
  const merged = members.flatMap(({ task, pullRequest }) =>
    pullRequest?.state === 'merged' ? task : [],
  )
  const [failed] = merge.obstacles
  return failed === undefined || merged.length === 0 ? null : { status: 'halfway', merged, failed }
}

const describeHalfway = ({ merged, failed }: Halfway): string =>
  `${merged.join(', ')} merged, and ${obstacleText(failed)}. The set is atomic, so the bot proposes once to revert what is merged: merge these reverts, or close them to try again.`

/** Proposes them, the last merge first. Returns those that could not be proposed. */
async function proposeReverts(
  { merged }: Halfway,
  members: readonly Member[],
  say: (sentence: string) => void,
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const member of members.toReversed()) {
    const { task } = member
    if (!merged.includes(task)) continue
    const left = await orProblem(proposeRevert(member, (sentence) => say(`${task}: ${sentence}`)))
    const reasons = typeof left === 'string' ? [left] : left
    problems.push(...reasons.map((reason) => `the revert of ${task} is not proposed: ${reason}`))
  }
  return problems
}

/** A task of a group goes by the group's first, whose branch has its work. */
async function proposeRevert(
  { id, pullRequest, opened: { ports } }: Member,
  say: (sentence: string) => void,
): Promise<readonly string[]> {
  const target = taskIdOfBranch(pullRequest?.head ?? '') ?? id
  const plan = await planRollback({ target, newest: null, withDependents: false }, ports)
  const told = ({ operation, detail }: DoneOperation) => say(`${operation.words} ${detail}`)
  const done = await rollBack(plan, ports, told, say)
  const left = done.flatMap(({ outcome, detail }) => (outcome === 'left' ? detail : []))
  return done.length === 0 ? plan.leftAlone : left
}

function stateOf({ task, pullRequest, approval }: SetMember, merge: SetMerge): string {
  if (pullRequest?.state === 'merged') return 'merged'
  const obstacles = merge.status === 'not_ready' ? merge.obstacles : []
  const failed = merge.status === 'halfway' ? [merge.failed] : []
  const reason = [...obstacles, ...failed].find((each) => each.task === task)?.reason
  return reason ?? (approval === null ? '' : 'approved')
}

/** Tasks of each repository that need another repository, and could start now. Those with an owner are a person's. */
export async function findWoken({
  names,
  doors,
}: Repositories<ServedRepository>): Promise<
  readonly { readonly repository: string; readonly tasks: readonly Task[] }[]
> {
  const found = names.map(async (repository) => {
    const { tasks } = await doors.standing(repository)
    const { ready } = await doors.work(repository)
    const woken = tasks.filter(
      ({ id, elsewhere = [] }) => elsewhere.length > 0 && ready.includes(id),
    )
    if (woken.length === 0) return []
    const { discussion } = await doors.opened(repository)
    return isSwitchedOff(await discussion.overview()) ? [] : [{ repository, tasks: woken }]
  })
  const some = await Promise.all(found.map(orProblem))
  return some.flatMap((each) => (typeof each === 'string' ? [] : each))
}
