import { label } from '../../core/domain/identity.ts'
import { secondsBefore } from '../../core/domain/instant.ts'
import type { Task } from '../../core/domain/task.ts'
import type { Discussion } from '../../core/ports/discussion.ts'
import type { Ports } from '../../core/ports.ts'
import type { TaskSet } from '../../publish/report/workspace-report.ts'
import { findApproval } from '../commands/find-approval.ts'
import { fortnight, mayCommand } from '../pass.ts'
import { planRollback, rollBack } from '../rollback/roll-back.ts'
import {
  type Approval,
  mergeSet,
  obstacleText,
  type SetMember,
  type SetMerge,
} from './merge-set.ts'
import { nameOneAnother } from './name-one-another.ts'
import { type Repositories, setMembers } from './repositories.ts'
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
 */
export async function serveSets(
  workspace: Repositories<ServedRepository>,
  say: (sentence: string) => void,
): Promise<void> {
  for (const set of workspace.sets) {
    const members = await setMembers(workspace, set)
    if (!members.some(({ pullRequest }) => pullRequest?.state === 'open')) continue
    // Its comments say why.
    if (members.some(({ reverting }) => reverting !== null)) continue
    const approved = await Promise.all(members.map(withApproval))
    const stopped = approved.find(({ isStopped }) => isStopped)
    if (stopped !== undefined) {
      say(`set ${set.name}: ${stopped.repository} is switched off by the label ${label.stop}.`)
      continue
    }
    const merged = new Set<string>()
    const merge = await mergeInParts(set, approved, (task) => {
      merged.add(task)
      say(`set ${set.name}: merged ${task}.`)
    })
    const halfway = merge.status === 'halfway' ? describeHalfway(merge) : null
    const states = Object.fromEntries(
      approved.map((member) => [
        member.task,
        merged.has(member.task) ? 'merged' : stateOf(member, merge),
      ]),
    )
    await nameOneAnother(set, approved, { by: 'approvals', halfway, states }, say)
    if (merge.status !== 'halfway') continue
    say(`set ${set.name}: ${halfway}`)
    await proposeReverts(merge, approved, say)
  }
}

/** The members of another set than an atomic one are merged one by one, as far as they are ready. */
async function mergeInParts(
  { atomic }: TaskSet,
  members: readonly SetMember[],
  heard: (task: string) => void,
): Promise<SetMerge> {
  const merged: string[] = []
  for (const part of atomic ? [members] : members.map((member) => [member])) {
    const merge = await mergeSet(part, heard)
    if (merge.status !== 'merged') return merge
    merged.push(...merge.merged)
  }
  return { status: 'merged', merged }
}

async function withApproval(
  member: Member,
): Promise<Member & { readonly approval: Approval | null; readonly isStopped: boolean }> {
  const { pullRequest, opened } = member
  const { discussion, ports } = opened
  if (pullRequest?.state !== 'open') return { ...member, approval: null, isStopped: false }
  const now = ports.clock.now()
  const [overview, remarks, self] = await Promise.all([
    discussion.overview(),
    discussion.remarksSince(secondsBefore(now, fortnight)),
    discussion.self(),
  ])
  const reviews = overview.pullRequests.flatMap((pull) => pull.reviews)
  const said = { remarks: [...remarks, ...reviews], self, now }
  const found = findApproval(pullRequest.number, said)
  const isValid = found !== null && (await mayCommand(found.by, discussion))
  return {
    ...member,
    approval: isValid ? { sha: found.sha, login: found.by.login } : null,
    isStopped: overview.dashboard?.labels.includes(label.stop) ?? false,
  }
}

type Halfway = Extract<SetMerge, { readonly status: 'halfway' }>

const describeHalfway = ({ merged, failed }: Halfway): string =>
  `${merged.join(', ')} merged, and ${obstacleText(failed)}. The set is atomic, so the bot proposes to revert what is merged: merge these reverts, or close them to try again.`

/** The last merge first. */
async function proposeReverts(
  { merged }: Halfway,
  members: readonly Member[],
  say: (sentence: string) => void,
): Promise<void> {
  const back = members.filter(({ task }) => merged.includes(task)).toReversed()
  for (const { task, id, opened } of back) {
    const asked = { target: id, newest: null, withDependents: false }
    const tell = (sentence: string) => say(`${task}: ${sentence}`)
    await rollBack(
      await planRollback(asked, opened.ports),
      opened.ports,
      ({ operation, outcome, detail }) =>
        tell(`${outcome === 'done' ? '' : 'not done: '}${operation.words} ${detail}`),
      tell,
    )
  }
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
}: Repositories): Promise<
  readonly { readonly repository: string; readonly tasks: readonly Task[] }[]
> {
  const found = await Promise.all(
    names.map(async (repository) => {
      const { tasks } = await doors.standing(repository)
      const { ready } = await doors.work(repository)
      const woken = ({ id, elsewhere = [] }: Task) => elsewhere.length > 0 && ready.includes(id)
      return { repository, tasks: tasks.filter(woken) }
    }),
  )
  return found.filter(({ tasks }) => tasks.length > 0)
}
