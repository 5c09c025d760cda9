import { inlineCode, neutraliseLine } from '../../../packages/text/text.ts'
import type { Answer } from '../../core/domain/answer.ts'
import type { Attempt, Proposal } from '../../core/domain/attempt.ts'
import { recoveryBranchOf } from '../../core/domain/branches.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import { recordOfRefusal } from '../../core/domain/errors.ts'
import type { RunError, RunState } from '../../core/domain/run-state.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import type { Ports } from '../../core/ports.ts'
import { proposalBase } from '../../recovery/task/judge-proposal.ts'
import { publishRecovery } from './publish-on-recovery-branch.ts'

type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings' | 'clock' | 'store'>
type Pull = NonNullable<TaskResult['pullRequest']>

export type MergedRecovery =
  | { readonly status: 'merged'; readonly pullRequest: Pull; readonly sha: string }
  /** The repository requires more than an approval, such as a review or a check. The commit stays. */
  | {
      readonly status: 'blocked'
      readonly pullRequest: Pull
      readonly sha: string
      readonly reason: string
    }
  /** The approved commit is no longer the one that would be merged. */
  | { readonly status: 'stale'; readonly reason: string; readonly pullRequest: Pull | null }
  | { readonly status: 'refused'; readonly reason: string; readonly error: RunError | null }

/**
 * Merges the roadmap change that a person approved: exactly the commit of the answer, or the commit with the tasks
 * that the person wrote.
 */
export async function mergeRecovery(
  attempt: Attempt,
  proposal: Proposal,
  answer: Answer,
  state: RunState,
  ports: Needs,
): Promise<MergedRecovery> {
  const { id } = attempt.task
  const found =
    answer.choice === 'edit'
      ? await publishEdited(attempt, proposal, state, ports)
      : findApproved(answer, state.tasks.questions[id] ?? [], recoveryBranchOf(id))
  if (found.status !== 'found') return found
  const { sha, pullRequest } = found
  const merged = await ports.forge.merge(pullRequest.number, sha)
  switch (merged.status) {
    case 'merged':
      return { status: 'merged', pullRequest, sha }
    case 'moved': {
      const reason = `the head of #${pullRequest.number} moved to ${merged.headSha.slice(0, 7)}`
      return { status: 'stale', reason, pullRequest }
    }
    case 'queued':
      return { status: 'blocked', pullRequest, sha, reason: 'it waits in the merge queue' }
    case 'blocked':
      return { status: 'blocked', pullRequest, sha, reason: merged.reason }
    default: {
      const error = recordOfRefusal(merged, id)
      return { status: 'refused', reason: error.message, error }
    }
  }
}

type Found =
  | { readonly status: 'found'; readonly sha: string; readonly pullRequest: Pull }
  | Extract<MergedRecovery, { readonly status: 'stale' | 'refused' }>

function findApproved(
  { sha }: Answer,
  questions: RunState['tasks']['questions'][string],
  branch: string,
): Found {
  const question = questions.find(({ head }) => head === branch)
  if (question === undefined || sha === null) {
    return { status: 'stale', reason: 'there is no open proposal', pullRequest: null }
  }
  const { number, url } = question
  return { status: 'found', sha, pullRequest: { number, url } }
}

async function publishEdited(
  attempt: Attempt,
  proposal: Proposal,
  state: RunState,
  ports: Needs,
): Promise<Found> {
  const onto = await proposalBase(attempt, state, ports)
  const how = { asked: true, at: ports.clock.now(), onto }
  const published = await publishRecovery(attempt, proposal, how, state, ports)
  if (published.status === 'refused') return published
  const { sha, pullRequest } = published
  return pullRequest === null
    ? { status: 'refused', reason: 'there is no pull request to merge', error: null }
    : { status: 'found', sha, pullRequest }
}

/**
 * Comments the result of an approval on the pull request: who approved, when, and what happens next. Skipped when a
 * comment gave the approval, since the reply to it says the same.
 */
export async function tellOutcome(
  { pullRequest: { number }, ...merged }: Extract<MergedRecovery, { status: 'merged' | 'blocked' }>,
  proposal: Proposal,
  { by, at, choice }: Answer,
  { run }: StateFacts<'run.remark'>,
  { forge, clock }: Pick<Ports, 'forge' | 'clock'>,
): Promise<void> {
  if (run.remark !== null) return
  const verb = choice === 'edit' ? 'Edited and approved' : 'Approved'
  const ids = proposal.tasks.map(({ id }) => `**${id}**`).join(', ')
  const goesOn = `The run continues with ${ids === '' ? 'the new tasks' : ids}`
  const how =
    merged.status === 'merged'
      ? `${goesOn}.`
      : `GitHub refuses the merge: ${neutraliseLine(merged.reason)}. ${goesOn} on top of this branch; merge this when you can.`
  const body = `${verb} by ${inlineCode(by)} at ${at ?? clock.now()}. ${how}`
  await forge.upsertComment(number, '<!-- executor:decided -->', body)
}
