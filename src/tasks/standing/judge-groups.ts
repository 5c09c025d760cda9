import { isSettled, type Task } from '../../../packages/task/task.ts'
import { branchOf, recoveryBranchOf } from '../../core/domain/branches.ts'
import { isRolledBack, label, readTaskMarker, rolledBackFor } from '../../core/domain/identity.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type { BranchTip } from '../../core/ports/workspace.ts'
import { untouchedResult } from './untouched-result.ts'

/** Tasks that are wanted only together, one of which failed for good. */
export interface BrokenGroup {
  readonly cause: Task
  /** The others, also those that are done. */
  readonly parts: readonly Task[]
}

/** What the repository and the forge have of the tasks, by branch. */
export interface Outside {
  readonly branches: ReadonlyMap<string, BranchTip>
  /** The newest pull request of each head branch. */
  readonly pullRequests: ReadonlyMap<string, PullRequest>
}

/**
 * Finds the groups of which a task failed for good: it is one of `lost`, or branches of its group were rolled back
 * because of it, and its words are still the same. A group with newer work is being tried again.
 */
export function findBrokenGroups(
  tasks: readonly Task[],
  lost: (task: Task) => boolean,
  { branches, pullRequests }: Outside,
): readonly BrokenGroup[] {
  const groups = Map.groupBy(
    tasks.filter(({ together }) => together !== undefined),
    ({ together }) => together,
  )
  return [...groups.values()].flatMap((group) => {
    const causes = group.flatMap(({ id }) => tipsOf(id, branches).flatMap(causeOf))
    const isCause = ({ id, fingerprint }: Task) =>
      causes.some((cause) => cause.id === id && cause.fingerprint === fingerprint)
    const failed = group.filter((task) => !isSettled(task) && lost(task))
    const cause = failed[0] ?? group.find((task) => !isSettled(task) && isCause(task))
    if (cause === undefined || group.length === 1) return []
    if (isTriedAgain(group, cause, pullRequests)) return []
    return [{ cause, parts: group.filter((task) => task !== cause && !failed.includes(task)) }]
  })
}

/** True when a part has a newer pull request than those that tell of the failure and of what was taken back. */
function isTriedAgain(
  group: readonly Task[],
  cause: Task,
  pullRequests: Outside['pullRequests'],
): boolean {
  const known = group.flatMap((task) =>
    namesOf(task.id).flatMap((name) => {
      const pull = pullRequests.get(name)
      return pull === undefined ? [] : [{ task, pull }]
    }),
  )
  const isOver = ({ task, pull }: (typeof known)[number]) => task === cause || isTaken(pull.labels)
  const newest = (some: typeof known) => Math.max(0, ...some.map(({ pull }) => pull.number))
  const work = known.filter((each) => !isOver(each) && each.pull.state !== 'closed')
  const over = newest(known.filter(isOver))
  return over > 0 && newest(work) > over
}

const causeOf = (tip: BranchTip) => rolledBackFor(tip) ?? []

/** The group that a task which has just failed leaves behind; `null` when it belongs to none. */
export function groupOf(task: Task, tasks: readonly Task[]): BrokenGroup | null {
  const isOther = ({ id, together }: Task) => id !== task.id && together === task.together
  const parts = task.together === undefined ? [] : tasks.filter(isOther)
  return parts.length === 0 ? null : { cause: task, parts }
}

/**
 * True for an open pull request that reverts merged work. One of a task's own has its label, too, when a rollback was
 * killed before it closed it.
 */
export const takesBack = (
  pullRequest: Pick<PullRequest, 'state' | 'labels' | 'body'> | undefined,
): boolean =>
  pullRequest?.state === 'open' &&
  pullRequest.labels.includes(label.rolledBack) &&
  readTaskMarker(pullRequest.body) === null

/**
 * Judges another part of a broken group: rolled back, or held back before it started; work that is merged waits for a person to revert
 * it. Returns `null` for work that is still in effect, and `done` for merged work without such a proposal.
 */
export function judgePart(
  part: Task,
  { cause }: Pick<BrokenGroup, 'cause'>,
  { branches, pullRequests }: Outside,
): TaskResult | 'done' | null {
  const branch = branchOf(part.id)
  const own = pullRequests.get(branch)
  const why = whyOf(cause)
  const shown = own === undefined ? null : { number: own.number, url: own.url }
  const found = (verdict: TaskResult['verdict'], reason: string, facts: Partial<TaskResult>) =>
    untouchedResult(part, { verdict, reason, ...facts })
  if (takesBack(own)) {
    const reason = `#${own?.number} would revert its work: ${why}`
    return found('waiting', reason, { branch, pullRequest: shown })
  }
  if (isSettled(part)) return 'done'
  const tips = tipsOf(part.id, branches)
  const pulls = namesOf(part.id).flatMap((name) => pullRequests.get(name) ?? [])
  const isLive =
    tips.some((tip) => !isRolledBack(tip)) || pulls.some(({ state }) => state === 'open')
  const isBack = tips.some(isRolledBack) || pulls.some(({ labels }) => isTaken(labels))
  if (!isBack && own?.state === 'merged') return 'done'
  if (isLive) return null
  return isBack
    ? found('rolled_back', why, { branch, pullRequest: shown })
    : heldBack(part, { cause })
}

/** The verdict on a part that has nothing to take back, and is not started. */
export const heldBack = (part: Task, { cause }: Pick<BrokenGroup, 'cause'>): TaskResult =>
  untouchedResult(part, { verdict: 'waiting', reason: `held back: ${whyOf(cause)}` })

const whyOf = ({ id }: Task): string => `${id} failed, and they belong together`

const isTaken = (labels: readonly string[]): boolean => labels.includes(label.rolledBack)

const namesOf = (id: string): readonly string[] => [branchOf(id), recoveryBranchOf(id)]

const tipsOf = (id: string, branches: Outside['branches']): readonly BranchTip[] =>
  namesOf(id).flatMap((name) => branches.get(name) ?? [])
