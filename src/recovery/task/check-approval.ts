import { idsInPlaceOf } from '../../../packages/roadmap/roadmap.ts'
import type { Answer } from '../../core/domain/answer.ts'
import type { Attempt, Proposal } from '../../core/domain/attempt.ts'
import { recoveryBranchOf } from '../../core/domain/branches.ts'
import { attemptOf, changeState } from '../../core/domain/change-state.ts'
import { readProposalMarker } from '../../core/domain/hidden-lines.ts'
import { readTaskMarker, trailer } from '../../core/domain/identity.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type { Ports } from '../../core/ports.ts'
import { hashOfOperations, hashOfTasks } from '../../core/proposal-hash.ts'
import { loadRoadmap } from '../../tasks/load-roadmap.ts'

export type CheckedApproval =
  /** `proposal` is `null` when the approval is for destructive operations. */
  | { readonly status: 'holds'; readonly proposal: Proposal | null }
  /** A sentence for the person who approved. */
  | { readonly status: 'stale'; readonly reason: string }

/**
 * Checks that an approval from the forge still covers exactly what would be carried out. Reads the pull request
 * again: its head must be the approved commit and one of our own, and its proposal must equal the attempt's. Any
 * difference makes the approval stale.
 */
export async function checkApproval(
  state: RunState,
  answer: Answer,
  ports: Pick<Ports, 'forge' | 'workspace' | 'settings'>,
): Promise<CheckedApproval> {
  const attempt = attemptOf(state)
  const { id } = attempt.task
  const branch = recoveryBranchOf(id)
  const question = state.tasks.questions[id]?.find(({ head }) => head === branch)
  const pull = question ? await ports.forge.pullRequest(question.number) : null
  if (pull === null || pull.state === 'closed') return stale(`nothing about ${id} is open`)
  const moved = whatMoved(pull, attempt, answer)
  if (moved !== null) return stale(moved)
  const hash = readProposalMarker(pull.body)?.hash
  if (attempt.proposal !== null && attempt.proposal.tasks.length > 0) {
    return hash === hashOfTasks(attempt.proposal)
      ? { status: 'holds', proposal: attempt.proposal }
      : stale(`#${pull.number} no longer shows the saved proposal`)
  }
  if (attempt.destructive.length > 0) {
    return hash === hashOfOperations(attempt)
      ? { status: 'holds', proposal: null }
      : stale(`#${pull.number} no longer shows the saved change`)
  }
  return fromBranch(pull, state, ports)
}

const stale = (reason: string): CheckedApproval => ({ status: 'stale', reason })

function whatMoved(
  { number, headSha, body }: PullRequest,
  { task }: Attempt,
  { sha }: Answer,
): string | null {
  const short = (commit: string) => commit.slice(0, 7)
  if (sha === null) return `the approval of #${number} names no commit`
  if (sha !== headSha) {
    return `#${number} is at ${short(headSha)} now, and the approval was for ${short(sha)}`
  }
  const mark = readProposalMarker(body)
  if (mark?.task !== task.id || mark.sha !== headSha) {
    return `the head of #${number} is not the commit that the question showed`
  }
  return readTaskMarker(body)?.fingerprint === task.fingerprint
    ? null
    : `the words of ${task.id} changed after #${number} was opened`
}

/** A proposal can be read from its branch; a change that waited exists only in the stored attempt. */
async function fromBranch(
  { number, headSha, base }: PullRequest,
  state: RunState,
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<CheckedApproval> {
  const { task } = attemptOf(state)
  const { branches } = await ports.workspace.view()
  const tip = branches.find(
    ({ sha, name }) => sha === headSha && name === recoveryBranchOf(task.id),
  )
  if (tip?.trailers[trailer.outcome] !== 'replaced') {
    return stale(`the change that #${number} asks about no longer exists; /retry writes it again`)
  }
  const there = { branch: base, sha: headSha }
  const roadmap = await loadRoadmap(
    changeState(state, { roadmap: { base: there, amendments: [] } }),
    ports,
  )
  const ids = idsInPlaceOf(task, 5)
  const tasks = (roadmap?.tasks ?? [])
    .filter(({ id }) => ids.includes(id))
    .map(({ id, title, details, files, together }) => ({
      ...{ id, title, details: withoutFields(details), files },
      ...(together === undefined || together === task.together ? {} : { together: true as const }),
    }))
  const strategy = tasks.length === 1 ? 'REWRITE' : 'DECOMPOSE'
  const explanation = `as #${number} proposes`
  return { status: 'holds', proposal: { strategy, reason: 'unknown', explanation, tasks } }
}

/** A task's details without the fields that its place in the roadmap adds. */
const withoutFields = (details: string): readonly string[] =>
  details
    .split('\n')
    .map((line) => line.trim().replace(/^[-*+][ \t]+/, ''))
    .filter((line) => line !== '' && !/^\*\*[A-Z][\w ]{1,20}\*\*:/.test(line))
