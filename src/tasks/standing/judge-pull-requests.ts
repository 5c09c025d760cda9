import type { Task } from '../../../packages/task/task.ts'
import { type Answer, answerNow } from '../../core/domain/answer.ts'
import { recoveryBranchOf } from '../../core/domain/branches.ts'
import { readProposalMarker } from '../../core/domain/hidden-lines.ts'
import { fingerprintIn, label, readTaskMarker } from '../../core/domain/identity.ts'
import type { TaskQuestion } from '../../core/domain/run-state.ts'
import type { TaskResult, Verdict } from '../../core/domain/verdict.ts'
import type { Forge, PullRequest } from '../../core/ports/forge.ts'
import type { BranchTip } from '../../core/ports/workspace.ts'
import { lastHolder } from '../start/order-stack.ts'
import { untouchedResult } from './untouched-result.ts'

/** The verdict of a recovery proposal on its task, as long as the task's text is unchanged. */
export function judgeRecovery(
  task: Task,
  given: {
    readonly proposal: PullRequest | undefined
    /** The task's own pull request. */
    readonly own: PullRequest | undefined
    readonly branches: ReadonlyMap<string, unknown>
    readonly asked: boolean
    readonly base: string
    readonly forge: Forge['kind']
  },
): TaskResult | undefined {
  const { proposal, own, asked, base } = given
  const branch = recoveryBranchOf(task.id)
  if (asked) return undefined
  if (proposal === undefined) {
    // Without pull requests, a replacement waits to be merged. On GitHub no one has been asked yet: the run died
    // before it could ask, and the next attempt finds the branch.
    const isUnasked = given.forge === 'local' && given.branches.has(branch)
    const reason = `its replacement on ${branch} waits to be merged`
    return isUnasked ? untouchedResult(task, { verdict: 'waiting', reason, branch }) : undefined
  }
  const { number, url, state, body, labels } = proposal
  const written = readTaskMarker(body)
  if (written !== null && written.fingerprint !== task.fingerprint) return undefined
  const found = (verdict: Verdict, reason: string) =>
    untouchedResult(task, { verdict, reason, branch, pullRequest: { number, url } })
  if (state === 'open') return found('waiting', `#${number} waits for an answer`)
  if (state === 'closed') {
    // The executor closed the proposal itself when it opened the task's later pull request.
    return own !== undefined && own.number > number ? undefined : judgeClosed(number, labels, found)
  }
  return proposal.base === base
    ? undefined
    : found('waiting', `#${number} replaced it on ${proposal.base}, which waits to be merged`)
}

/** The verdict on a pull request closed without merging; its label says for how long. */
export function judgeClosed(
  number: number,
  labels: readonly string[],
  found: (verdict: Verdict, reason: string) => TaskResult,
): TaskResult | undefined {
  if (labels.includes(label.deferred) || labels.includes(label.rolledBack)) return undefined
  if (labels.includes(label.skipped)) return found('skipped', `skipped in #${number}`)
  return found('rejected', `#${number} was closed without merging; name the task to try again`)
}

/** Merging a proposal approves the commit it was about. */
export function approvalByHand(
  task: Task,
  proposal: PullRequest | undefined,
  base: string,
): Answer | null {
  if (proposal?.state !== 'merged' || proposal.base !== base) return null
  const mark = readProposalMarker(proposal.body)
  const isSame = readTaskMarker(proposal.body)?.fingerprint === task.fingerprint
  if (!isSame || mark?.sha !== proposal.headSha) return null
  return {
    ...answerNow('approve', `the person who merged #${proposal.number}`),
    sha: proposal.headSha,
  }
}

/** Of these pull requests, the open ones that ask people, and merged proposals. */
export const questionsOf = (
  pullRequests: readonly (PullRequest | undefined)[],
): readonly TaskQuestion[] =>
  pullRequests.flatMap((pull) =>
    pull !== undefined && asksPeople(pull)
      ? [{ number: pull.number, url: pull.url, head: pull.head }]
      : [],
  )

/** True when a pull request was opened for the task, alone or in a group, with the words that it has now. */
export const isFor = ({ id, fingerprint }: Task, body: string): boolean =>
  (fingerprintIn(body, id) ?? readTaskMarker(body)?.fingerprint) === fingerprint

const asksPeople = ({ head, state, labels }: PullRequest): boolean =>
  state === 'open'
    ? isProposal(head) || labels.includes(label.needsHuman)
    : state === 'merged' && isProposal(head)

const isProposal = (head: string): boolean => head.startsWith('executor/recovery/')

/**
 * The verdict on a task whose pull request was merged. If it was merged into another branch than the default one, the
 * task is done only when that branch is merged, too. No verdict when the task's text has changed, or when a person
 * asks for a task again whose work was lost.
 */
export function judgeMerged(
  task: Task,
  { number, url, head, base, body }: PullRequest,
  given: {
    /** By head branch. */
    readonly pullRequests: ReadonlyMap<string, PullRequest>
    readonly branches: ReadonlyMap<string, BranchTip>
    /** The default branch. */
    readonly base: string
    readonly asked: boolean
  },
): TaskResult | undefined {
  const pullRequest = { number, url }
  if (!isFor(task, body)) return undefined
  if (base === given.base) {
    const facts = { branch: head, pullRequest }
    return untouchedResult(task, { verdict: 'done', reason: `merged as #${number}`, ...facts })
  }
  const holder = lastHolder(base, given.pullRequests, given.base)
  const tip = holder === given.base ? undefined : given.branches.get(holder)
  if (tip !== undefined) {
    // Dependents of this task start from the branch that now has its work.
    return untouchedResult(task, {
      verdict: 'in_review',
      reason: `merged as #${number} into ${holder}, which waits to be merged`,
      branch: tip.name,
      sha: tip.sha,
      pullRequest,
    })
  }
  if (given.asked) return undefined
  // If its work were in the base, so would be its tick in the roadmap.
  const reason = `#${number} was merged into ${base}, but its work never reached ${given.base}; name the task to redo it`
  return untouchedResult(task, { verdict: 'waiting', reason, pullRequest })
}
