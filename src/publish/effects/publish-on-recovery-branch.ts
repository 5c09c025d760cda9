import { ExecutorError } from '../../core/domain/errors.ts'
import { label, trailer } from '../../core/domain/identity.ts'
import type { ProposalMark } from '../../core/domain/proposal-marker.ts'
import type { RunError, RunState } from '../../core/domain/run-state.ts'
import type { Task } from '../../core/domain/task.ts'
import { recoveryBranchOf } from '../../core/domain/task-id.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type { BranchTip } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import type { RoadmapEdit } from '../../roadmap/document/edit-roadmap.ts'
import type { QuestionText } from '../report/write-recovery.ts'

type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings' | 'clock'>

/** An edit of the roadmap to put before people, and what it says. */
export interface RoadmapProposal {
  readonly task: Task
  /** Where it is to be merged: nothing else is between this commit and the proposal's. */
  readonly onto: { readonly branch: string; readonly sha: string }
  /** `proposalHash` of what an approval carries out. */
  readonly hash: string
  readonly text: QuestionText
  readonly edit: (roadmap: string) => RoadmapEdit
}

export type PublishedProposal =
  | {
      readonly status: 'published'
      readonly branch: string
      readonly sha: string
      readonly pullRequest: Pick<PullRequest, 'number' | 'url'> | null
    }
  /** Nothing was put before anybody. */
  | { readonly status: 'refused'; readonly reason: string; readonly error: RunError | null }

/**
 * The edit as one commit on `executor/recovery/<id>`, its pull request, and the comment on the line
 * that changes. A proposal that was there before is replaced: the branch is grown, and differs from
 * `onto` by the new one alone. Safe to repeat: what is published already is recognised by its hash.
 */
export async function publishOnRecoveryBranch(
  proposal: RoadmapProposal,
  state: Pick<RunState, 'roadmap'>,
  ports: Needs,
): Promise<PublishedProposal> {
  const { task, onto, text, hash } = proposal
  const { workspace, settings } = ports
  const before = (await workspace.readFiles(onto.sha, [state.roadmap])).get(state.roadmap)
  if (before === undefined) return refused(`${state.roadmap} is gone`)
  const edited = proposal.edit(before)
  if (edited.status === 'refused') return refused(edited.reason)
  const branch = recoveryBranchOf(task.id)
  const pushed = await pushEdit(proposal, state.roadmap, { before, after: edited.text }, ports)
  if (pushed.status === 'refused') return pushed
  const { sha } = pushed
  const mark: ProposalMark = { task: task.id, sha, hash, at: ports.clock.now() }
  const opened = await ports.forge.upsertPullRequest({
    head: branch,
    base: onto.branch,
    title: text.title,
    body: text.body(mark),
    labels: [label.recovery, ...settings.pullRequest.labels],
    draft: false,
    reviewers: settings.pullRequest.reviewers,
    assignees: settings.pullRequest.assignees,
  })
  if (opened.status === 'refused') return failed(opened, task.id)
  const pullRequest = opened.value && { number: opened.value.number, url: opened.value.url }
  const after = (await workspace.readFiles(sha, [state.roadmap])).get(state.roadmap) ?? ''
  const line = firstChangedLine(before, after)
  if (pullRequest !== null && text.comment !== null) {
    const place = { path: state.roadmap, line, body: text.comment(mark) }
    await commentOn(pullRequest.number, mark, place, ports)
  }
  return { status: 'published', branch, sha, pullRequest }
}

const refused = (reason: string) => ({ status: 'refused', reason, error: null }) as const

function failed(
  { code, detail }: { readonly code: ExecutorError['code']; readonly detail: string },
  taskId: string,
) {
  const error = new ExecutorError(code, detail).toRecord(taskId)
  return { status: 'refused', reason: error.message, error } as const
}

type Pushed =
  | { readonly status: 'pushed'; readonly sha: string }
  | Extract<PublishedProposal, { readonly status: 'refused' }>

async function pushEdit(
  { task, onto, hash, text }: RoadmapProposal,
  path: string,
  { before, after }: { readonly before: string; readonly after: string },
  { workspace }: Needs,
): Promise<Pushed> {
  const branch = recoveryBranchOf(task.id)
  const tip = (await workspace.refresh()).branches.find(({ name }) => name === branch)
  if (tip !== undefined && !isOurs(tip, task.id)) {
    return refused(`the last commit on ${branch} is not ours: rename or delete the branch`)
  }
  const isThere = tip?.trailers[trailer.proposal] === hash
  if (isThere && (await workspace.contains(tip.sha, onto.sha))) {
    return { status: 'pushed', sha: tip.sha }
  }
  const grows = tip !== undefined && !(await workspace.contains(onto.sha, tip.sha))
  const sha = await workspace.commit({
    parents: grows ? [onto.sha, tip.sha] : [onto.sha],
    changes: [{ action: 'modify', path, before, content: after }],
    message: text.commit,
  })
  const result = await workspace.publish(branch, sha, tip?.sha ?? null)
  if (result.status === 'moved') return refused(`${branch} was moved by somebody else`)
  return result.status === 'refused' ? failed(result, task.id) : { status: 'pushed', sha }
}

const isOurs = ({ trailers }: BranchTip, id: string): boolean =>
  trailers[trailer.task] === id &&
  ['replaced', 'asked', 'rolled-back'].includes(trailers[trailer.outcome] ?? '')

/** 1-based, in the text after. */
function firstChangedLine(before: string, after: string): number {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const first = now.findIndex((line, index) => line !== old[index])
  return first === -1 ? 1 : first + 1
}

/** One per proposal. Where the line may not be commented on, the conversation may. */
async function commentOn(
  number: number,
  { task, sha, hash }: ProposalMark,
  { path, line, body }: { readonly path: string; readonly line: number; readonly body: string },
  { forge }: Needs,
): Promise<void> {
  const marker = `<!-- executor:question ${task} ${hash.slice(0, 16)} -->`
  const onLine = await forge.upsertReviewComment(number, { marker, sha, path, line, body })
  const isDenied = onLine.status === 'refused' && onLine.code !== 'forge_unreachable'
  if (isDenied) await forge.upsertComment(number, marker, body)
}
