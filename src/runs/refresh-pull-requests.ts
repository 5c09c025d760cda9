import type { Task } from '../../packages/task/task.ts'
import { taskIdOfBranch } from '../core/domain/branches.ts'
import { recordOfRefusal } from '../core/domain/errors.ts'
import { proposalMarker, readProposalMarker } from '../core/domain/hidden-lines.ts'
import { label, noticeMarker, readTaskMarker } from '../core/domain/identity.ts'
import type { RunError } from '../core/domain/run-state.ts'
import type { OpenPullRequest } from '../core/ports/discussion.ts'
import type { ForgeResult, PullRequest } from '../core/ports/forge.ts'
import type { RepositoryView } from '../core/ports/workspace.ts'
import type { Ports } from '../core/ports.ts'
import { proposalHash } from '../core/proposal-hash.ts'
import { bringUpToDate } from '../publish/bring-up-to-date.ts'
import { findNotices, type Notice, writeNotice } from '../publish/report/write-notice.ts'
import { loadRoadmap } from '../tasks/load-roadmap.ts'
import { orderStack, type StackedWork } from '../tasks/start/order-stack.ts'

type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings' | 'clock'>

/**
 * Keeps the open pull requests mergeable: retargets those whose base was merged or deleted, merges the base into
 * those that conflict (never by force), lets approvals cover these merges, and reports in one comment what a person
 * must decide. Parents come before children. Can be killed after any step: the next pass finds the rest, and a pass
 * with nothing to do writes nothing.
 *
 * @param pullRequests all our own, newest first
 * @param open the overview's facts about those that are open
 */
export async function refreshPullRequests(
  pullRequests: readonly PullRequest[],
  open: readonly Pick<OpenPullRequest, 'number' | 'conflicts'>[],
  ports: Needs,
) {
  const view = await ports.workspace.view()
  const conflicts = new Map(open.map((each) => [each.number, each.conflicts]))
  const tasks = await tasksAt(view, ports)
  const tips = new Map(view.branches.map(({ name, sha }) => [name, sha]))
  const pass: Pass = { pullRequests, conflicts, tips, base: view.base, ports }
  const updated: number[] = []
  const retargeted: { number: number; base: string }[] = []
  const noticed: { number: number; notices: readonly Notice[] }[] = []
  const errors: RunError[] = []
  const keep = (result: ForgeResult<null>): boolean => {
    if (result.status === 'refused') errors.push(recordOfRefusal(result, null))
    return result.status === 'ok'
  }
  for (const work of orderStack(pullRequests, view)) {
    const { pullRequest, onto, closedBelow } = work
    const { number, base } = pullRequest
    const notices: Notice[] = [...findNotices(pullRequest, tasks, view.base.branch)]
    if (closedBelow !== null) notices.push({ about: 'closed_below', below: closedBelow })
    const result = await update(work, pass)
    if (result.status === 'updated') updated.push(number)
    if (result.status === 'conflict') notices.push({ about: 'conflict', onto, paths: result.paths })
    if (result.status === 'refused') errors.push(result.error)
    // Push the branch first: if this is the last step, the next pass still changes the base.
    if (onto !== base && result.status !== 'refused') {
      if (keep(await ports.forge.retarget(number, onto))) retargeted.push({ number, base: onto })
    }
    if (result.status === 'updated') {
      const renewed = await renewProposal(work, tips.get(work.tip.name) ?? '', ports)
      if (renewed?.status === 'refused') errors.push(recordOfRefusal(renewed, null))
    }
    if (notices.length > 0) noticed.push({ number, notices })
    for (const said of await tell(pullRequest, notices, ports)) keep(said)
  }
  return { updated, retargeted, noticed, errors }
}

export type Refreshed = Awaited<ReturnType<typeof refreshPullRequests>>

/** The facts of one pass; the tips follow our pushes. */
interface Pass {
  readonly pullRequests: readonly PullRequest[]
  readonly conflicts: ReadonlyMap<number, boolean | null>
  readonly tips: Map<string, string>
  readonly base: RepositoryView['base']
  readonly ports: Needs
}

type Update =
  | { readonly status: 'fresh' | 'updated' }
  | { readonly status: 'conflict'; readonly paths: readonly string[] }
  | { readonly status: 'refused'; readonly error: RunError }

async function update(work: StackedWork, pass: Pass): Promise<Update> {
  const { pullRequest, onto, tip } = work
  const { workspace } = pass.ports
  const rebuilt = onto !== pullRequest.base
  const isStacked = onto !== pass.base.branch
  const sha = isStacked ? pass.tips.get(onto) : pass.base.sha
  if (sha === undefined) return { status: 'fresh' }
  // The commits show what moved below it, even in an earlier pass that was killed.
  const isBehind = isStacked && !(await workspace.contains(tip.sha, sha))
  const isUnchanged = !rebuilt && !isBehind
  if (isUnchanged && pass.conflicts.get(pullRequest.number) === false) return { status: 'fresh' }
  const brought = await bringUpToDate(work, sha, rebuilt, pass.pullRequests, pass.ports)
  if (brought.status !== 'merged') return brought
  // A list may lag: one that was closed meanwhile keeps its branch as it is.
  if ((await pass.ports.forge.pullRequest(pullRequest.number))?.state !== 'open') {
    return { status: 'fresh' }
  }
  const published = await workspace.publish(tip.name, brought.sha, tip.sha)
  if (published.status === 'refused') {
    return { status: 'refused', error: recordOfRefusal(published, null) }
  }
  // Someone pushed meanwhile: their commit stays, and the next pass reads it.
  if (published.status === 'moved') return { status: 'fresh' }
  pass.tips.set(tip.name, brought.sha)
  return { status: 'updated' }
}

/**
 * Makes the proposal of a finished task name the merge of the base that this pass pushed: `/approve` would have to name
 * the commit otherwise. Covers only a merge on top of the commit that it named before.
 */
async function renewProposal(
  { pullRequest: { number, head } }: StackedWork,
  sha: string,
  { workspace, forge, clock }: Needs,
): Promise<ForgeResult<unknown> | null> {
  // Another run may have changed or closed it meanwhile.
  const pull = taskIdOfBranch(head) === null ? null : await forge.pullRequest(number)
  const mark = pull?.state === 'open' ? readProposalMarker(pull.body) : null
  if (pull === null || mark === null || mark.sha === sha) return null
  if ((await workspace.ancestor(sha, 1)) !== mark.sha) return null
  const { base, title, body, labels, draft } = pull
  const fingerprint = readTaskMarker(body)?.fingerprint ?? ''
  const hash = proposalHash({ kind: 'merge', task: { id: mark.task, fingerprint }, sha })
  const renewed = proposalMarker({ task: mark.task, sha, hash, at: clock.now() })
  return forge.upsertPullRequest({
    ...{ head, base, title, labels, draft, reviewers: [], assignees: [] },
    body: body.replace(proposalMarker(mark), () => renewed),
  })
}

/** Writes one comment, and the label that marks it; without either, asks nothing of the forge. */
async function tell(
  pullRequest: PullRequest,
  notices: readonly Notice[],
  { forge }: Needs,
): Promise<readonly ForgeResult<null>[]> {
  const { number, labels } = pullRequest
  const labelled = labels.includes(label.attention)
  if (notices.length === 0 && !labelled) return []
  // A list may lag: a pull request that was just merged needs no comment.
  if (!labelled && (await forge.pullRequest(number))?.state !== 'open') return []
  const said = await forge.upsertComment(number, noticeMarker, writeNotice(notices, pullRequest))
  if (said.status === 'refused' || labelled === notices.length > 0) return [said]
  const change = labelled ? { remove: [label.attention] } : { add: [label.attention] }
  return [said, await forge.label(number, change)]
}

async function tasksAt(view: RepositoryView, ports: Needs): Promise<ReadonlyMap<string, Task>> {
  const where = { roadmap: { base: view.base, path: ports.settings.roadmap } }
  const roadmap = await loadRoadmap(where, ports)
  return new Map(roadmap?.tasks.map((task) => [task.id, task]))
}
