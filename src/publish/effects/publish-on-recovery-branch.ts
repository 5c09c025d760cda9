/** Asks people about a task that could not be done, with a pull request that changes only the roadmap. */

import type { FileChange } from '../../../packages/change/change.ts'
import { annotateTask, type RoadmapEdit, replaceTask } from '../../../packages/roadmap/roadmap.ts'
import type { Task } from '../../../packages/task/task.ts'
import type { Attempt, Proposal } from '../../core/domain/attempt.ts'
import { recoveryBranchOf } from '../../core/domain/branches.ts'
import {
  attemptOf,
  fileVerdict,
  joinPatches,
  type StateFacts,
  type StatePatch,
} from '../../core/domain/change-state.ts'
import { recordOfRefusal } from '../../core/domain/errors.ts'
import type { ProposalMark } from '../../core/domain/hidden-lines.ts'
import { label, trailer } from '../../core/domain/identity.ts'
import type { RunError, RunState } from '../../core/domain/run-state.ts'
import { withoutObservations } from '../../core/domain/tool-loop.ts'
import { withoutForge } from '../../core/domain/unanswered.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import type { BranchTip } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { hashOfOperations, hashOfTasks } from '../../core/proposal-hash.ts'
import { amendmentOf, proposalBase } from '../../recovery/task/judge-proposal.ts'
import {
  type QuestionText,
  writeDestructiveProposal,
  writeRecovery,
} from '../report/write-proposal.ts'
import { parkAttempt, tellKept } from './keep-attempt.ts'
import { readNotes } from './keep-scratchpad.ts'
import {
  markProposal,
  openPullRequest,
  type Published,
  pushCommit,
  wordsFor,
} from './publish-attempt.ts'

type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings' | 'clock' | 'store'>

/** The commit that a proposal is merged onto; nothing else lies between it and the proposal. */
type Onto = Pick<Attempt['start'], 'branch' | 'sha'>

type Known = StateFacts<'run.id' | 'run.remark' | 'roadmap.path' | 'tasks.questions'>

/** An edit of the roadmap for people to approve, and its text. */
interface RoadmapProposal {
  readonly task: Task
  readonly onto: Onto
  /** The `proposalHash` of the action that an approval carries out. */
  readonly hash: string
  readonly text: QuestionText
  readonly edit: (roadmap: string) => RoadmapEdit
}

export type PublishedProposal =
  | Extract<Published, { readonly status: 'published' }>
  /** No one was asked. */
  | { readonly status: 'refused'; readonly reason: string; readonly error: RunError | null }

/**
 * Asks people about the current attempt with a pull request, and saves the attempt for the run that gets the answer.
 * The patch files the verdict, so that the run continues. If the forge is unreachable, the next run asks.
 */
export async function askOnForge(
  state: RunState,
  ports: Needs,
): Promise<{
  readonly outcome: 'waiting' | 'forge_refused'
  readonly patch: StatePatch
}> {
  const attempt = attemptOf(state)
  const { proposal, task } = attempt
  // Saved first: without the attempt, the question could not be answered.
  const parked = await parkAttempt(attempt, ports.workspace)
  const onto = await proposalBase(attempt, state, ports)
  const how = { asked: true, at: ports.clock.now(), onto }
  const published =
    proposal === null
      ? await publishOperations(attempt, onto, state, ports)
      : await publishRecovery(attempt, proposal, how, state, ports)
  if (published.status === 'refused') {
    const unreachable = withoutForge(state, published.error)
    if (unreachable !== null) return unreachable
    const sentence = `the question could not be asked: ${published.reason}`
    const reason = await tellKept(sentence, attempt, ports)
    const errors =
      published.error === null ? state.record.errors : [...state.record.errors, published.error]
    return {
      outcome: 'waiting',
      patch: joinPatches(fileVerdict(state, 'failed', { reason }), { record: { errors } }),
    }
  }
  const { branch, pullRequest } = published
  const question = pullRequest && { ...pullRequest, head: branch }
  const others = (state.tasks.questions[task.id] ?? []).filter(
    ({ number }) => number !== question?.number,
  )
  const lost = parked.status === 'published' ? '' : '; the attempt could not be saved'
  const asks = proposal === null ? 'destructive operations' : 'the tasks that would replace it'
  const where = question === null ? branch : `#${question.number}`
  const reason = `waits for an answer about ${asks} in ${where}${lost}`
  const asked = question === null ? others : [...others, question]
  return {
    outcome: 'waiting',
    patch: joinPatches(fileVerdict(state, 'waiting', { reason, branch, pullRequest }), {
      tasks: {
        parked: { ...state.tasks.parked, [task.id]: withoutObservations(attempt) },
        questions: { ...state.tasks.questions, [task.id]: asked },
      },
    }),
  }
}

/** Publishes the tasks that would replace one as a pull request, for a person to decide or to stack work on. */
export async function publishRecovery(
  attempt: Attempt,
  proposal: Proposal,
  how: { readonly asked: boolean; readonly at: string; readonly onto: Onto },
  state: Known,
  ports: Needs,
): Promise<PublishedProposal> {
  const amendment = amendmentOf(attempt, proposal, how.at)
  const hash = hashOfTasks(proposal)
  const notes = await readNotes(attempt, state.run.id, ports)
  const asked = { hash, asked: how.asked }
  const text = writeRecovery(attempt, proposal, asked, state, wordsFor(ports), notes)
  const edit = (roadmap: string) => replaceTask(roadmap, amendment, ports.settings)
  return publishEdit({ task: attempt.task, onto: how.onto, hash, text, edit }, state, ports)
}

/** Asks whether a change may be written; the change itself is not published. */
async function publishOperations(
  attempt: Attempt,
  onto: Onto,
  state: Known,
  ports: Needs,
): Promise<PublishedProposal> {
  const { task, destructive } = attempt
  const hash = hashOfOperations(attempt)
  const notes = await readNotes(attempt, state.run.id, ports)
  const text = writeDestructiveProposal(attempt, hash, state, wordsFor(ports), notes)
  const places = destructive.map(({ category, path, line }) => `${category} ${path}:${line}`)
  const note = `asked at ${ports.clock.now()} whether ${task.id} may do what cannot be undone: ${places.slice(0, 10).join(', ')}`
  const edit = (roadmap: string) => annotateTask(roadmap, task, note, ports.settings)
  return publishEdit({ task, onto, hash, text, edit }, state, ports)
}

/**
 * Publishes the edit as one commit on `executor/recovery/<id>` with its pull request, and a comment on the changed line.
 * Replaces an earlier proposal: the branch grows, but differs from `onto` only by the new edit. Safe to repeat: the hash
 * identifies a published proposal.
 */
async function publishEdit(
  proposal: RoadmapProposal,
  state: Known,
  ports: Needs,
): Promise<PublishedProposal> {
  const { task, onto, text, hash } = proposal
  const { path } = state.roadmap
  const { workspace } = ports
  const roadmapAt = async (sha: string) => (await workspace.readFiles(sha, [path])).get(path)
  const before = await roadmapAt(onto.sha)
  if (before === undefined) return refused(`${path} is gone`)
  const edited = proposal.edit(before)
  if (edited.status === 'refused') return refused(edited.reason)
  const change = { action: 'modify', path, before, content: edited.text } as const
  const pushed = await pushEdit(proposal, change, ports)
  if (pushed.status === 'refused') return pushed
  const { sha, branch } = pushed
  const mark = await markProposal({ task: task.id, sha, hash }, branch, ports)
  const pull = { head: branch, base: onto.branch, title: text.title, body: text.body(mark) }
  const labels = [label.recovery]
  const opened = await openPullRequest({ ...pull, labels, draft: false }, task, ports)
  if (opened.status === 'refused') return failed(opened.error)
  const { pullRequest } = opened
  if (pullRequest !== null && text.asks) {
    const line = firstChangedLine(before, (await roadmapAt(sha)) ?? '')
    const body = isUntold(pullRequest, task, state) ? pull.body : text.short(mark)
    const place = { path, line, body }
    await commentOn(pullRequest.number, mark, place, ports)
  }
  return { status: 'published', branch, sha, pullRequest }
}

/**
 * Returns true when only a comment notifies people of the proposal. Opening a pull request notifies them, and so does
 * the reply to the person who asked for another proposal; editing a body does not.
 */
const isUntold = (
  { number }: NonNullable<TaskResult['pullRequest']>,
  { id }: Task,
  { run, tasks }: Known,
): boolean =>
  run.remark === null && (tasks.questions[id] ?? []).some((question) => question.number === number)

const refused = (reason: string) => ({ status: 'refused', reason, error: null }) as const

const failed = (error: RunError) => ({ status: 'refused', reason: error.message, error }) as const

async function pushEdit(
  { task, onto, hash, text }: RoadmapProposal,
  change: FileChange,
  { workspace }: Needs,
): Promise<
  | { readonly status: 'pushed'; readonly branch: string; readonly sha: string }
  | Extract<PublishedProposal, { readonly status: 'refused' }>
> {
  const branch = recoveryBranchOf(task.id)
  const tip = (await workspace.refresh()).branches.find(({ name }) => name === branch)
  if (tip !== undefined && !isOurs(tip, task.id)) {
    return refused(
      `the executor did not write the last commit on ${branch}: rename or delete the branch`,
    )
  }
  const isThere = tip?.trailers[trailer.proposal] === hash
  if (isThere && (await workspace.contains(tip.sha, onto.sha))) {
    return { status: 'pushed', branch, sha: tip.sha }
  }
  const next = { branch, onto: onto.sha, head: tip?.sha ?? null, message: text.commit }
  const { sha, result } = await pushCommit({ ...next, changes: [change] }, { workspace })
  if (result.status === 'moved') return refused(`someone else moved ${branch}`)
  return result.status === 'refused'
    ? failed(recordOfRefusal(result, task.id))
    : { status: 'pushed', branch, sha }
}

const isOurs = ({ trailers }: BranchTip, id: string): boolean =>
  trailers[trailer.task] === id &&
  ['replaced', 'asked', 'rolled-back'].includes(trailers[trailer.outcome] ?? '')

/** The 1-based line in `now`. */
function firstChangedLine(before: string, after: string): number {
  const [old, now] = [before.split('\n'), after.split('\n')]
  return (
    Math.max(
      0,
      now.findIndex((line, index) => line !== old[index]),
    ) + 1
  )
}

/** Comments once per proposal: on the line, or in the conversation if the forge denies that. */
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
