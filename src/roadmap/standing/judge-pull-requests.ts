import { type Answer, answerNow } from '../../core/domain/answer.ts'
import { readProposalMarker } from '../../core/domain/hidden-lines.ts'
import { label, readTaskMarker } from '../../core/domain/identity.ts'
import type { TaskQuestion } from '../../core/domain/run-state.ts'
import type { Task } from '../../core/domain/task.ts'
import { branchOf, recoveryBranchOf } from '../../core/domain/task-id.ts'
import type { TaskResult, Verdict } from '../../core/domain/verdict.ts'
import type { Forge, PullRequest } from '../../core/ports/forge.ts'
import type { BranchTip } from '../../core/ports/workspace.ts'
import { lastHolder } from '../start/order-stack.ts'
import { untouchedResult } from './untouched-result.ts'

/** What a proposal about the task says of it, for as long as the task has the same words. */
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
    // Without pull requests a replacement waits for its merge. On GitHub nobody was asked yet: what was
    // to ask them died, and the attempt finds the branch again.
    const isUnasked = given.forge === 'local' && given.branches.has(branch)
    const reason = `its replacement waits on ${branch} to be merged`
    return isUnasked ? untouchedResult(task, { verdict: 'waiting', reason, branch }) : undefined
  }
  const { number, url, state, body, labels } = proposal
  const written = readTaskMarker(body)
  if (written !== null && written.fingerprint !== task.fingerprint) return undefined
  const found = (verdict: Verdict, reason: string) =>
    untouchedResult(task, { verdict, reason, branch, pullRequest: { number, url } })
  if (state === 'open') return found('waiting', `#${number} waits for an answer`)
  if (state === 'closed') {
    // What the task's own pull request came after was closed by us.
    return own !== undefined && own.number > number ? undefined : judgeClosed(number, labels, found)
  }
  return proposal.base === base
    ? undefined
    : found('waiting', `#${number} replaced it on ${proposal.base}, which waits to be merged`)
}

/** Closed without merging: by the label that says for how long. */
export function judgeClosed(
  number: number,
  labels: readonly string[],
  found: (verdict: Verdict, reason: string) => TaskResult,
): TaskResult | undefined {
  if (labels.includes(label.deferred) || labels.includes(label.rolledBack)) return undefined
  if (labels.includes(label.skipped)) return found('skipped', `skipped in #${number}`)
  return found('rejected', `#${number} was closed without merging; name the task to try again`)
}

/** To merge a question is to approve the commit it was about. */
export function approvalByHand(
  task: Task,
  proposal: PullRequest | undefined,
  base: string,
): Answer | null {
  if (proposal?.state !== 'merged' || proposal.base !== base) return null
  const mark = readProposalMarker(proposal.body)
  const isSame = readTaskMarker(proposal.body)?.fingerprint === task.fingerprint
  if (!isSame || mark?.sha !== proposal.headSha) return null
  return { ...answerNow('approve', `whoever merged #${proposal.number}`), sha: proposal.headSha }
}

/** Of these, the open ones that ask people, and one that was merged as the answer. */
export function questionsOf(
  pullRequests: readonly (PullRequest | undefined)[],
): readonly TaskQuestion[] {
  return pullRequests.flatMap((pull) =>
    pull !== undefined && asksPeople(pull)
      ? [{ number: pull.number, url: pull.url, head: pull.head }]
      : [],
  )
}

const asksPeople = ({ head, state, labels }: PullRequest): boolean =>
  state === 'open'
    ? isProposal(head) || labels.includes(label.needsHuman)
    : state === 'merged' && isProposal(head)

const isProposal = (head: string): boolean => head.startsWith('executor/recovery/')

/**
 * The verdict on a task whose pull request was merged. One that was merged into another branch than the
 * default one is not done before that branch is merged, too. Nothing where the task has other words
 * now, and for a person who asks for the task once more when its work has got lost.
 */
export function judgeMerged(
  task: Task,
  { number, url, base, body }: PullRequest,
  given: {
    /** By head. */
    readonly pullRequests: ReadonlyMap<string, PullRequest>
    readonly branches: ReadonlyMap<string, BranchTip>
    /** The default branch. */
    readonly base: string
    readonly asked: boolean
  },
): TaskResult | undefined {
  const pullRequest = { number, url }
  if (readTaskMarker(body)?.fingerprint !== task.fingerprint) return undefined
  if (base === given.base) {
    const facts = { branch: branchOf(task.id), pullRequest }
    return untouchedResult(task, { verdict: 'done', reason: `merged as #${number}`, ...facts })
  }
  const holder = lastHolder(base, given.pullRequests, given.base)
  const tip = holder === given.base ? undefined : given.branches.get(holder)
  if (tip !== undefined) {
    // What needs this task starts from where its work is now.
    return untouchedResult(task, {
      verdict: 'in_review',
      reason: `merged as #${number} into ${holder}, which waits to be merged`,
      branch: tip.name,
      sha: tip.sha,
      pullRequest,
    })
  }
  if (given.asked) return undefined
  // Its tick would be in the roadmap if its work had come along.
  const reason = `#${number} was merged into ${base}, and did not come to ${given.base} with it; name the task to do it again`
  return untouchedResult(task, { verdict: 'waiting', reason, pullRequest })
}
