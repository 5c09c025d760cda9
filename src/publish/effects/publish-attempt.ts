import type { ChangeSet } from '../../../packages/change/change.ts'
import type { Task } from '../../../packages/task/task.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import { branchOf, taskIdOfKeptRef } from '../../core/domain/branches.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import { recordOfRefusal } from '../../core/domain/errors.ts'
import {
  type ProposalMark,
  proposalMarker,
  readProposalMarker,
} from '../../core/domain/hidden-lines.ts'
import { type CommitOutcome, isRolledBack, trailer } from '../../core/domain/identity.ts'
import type { RunError } from '../../core/domain/run-state.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import type { PullRequestDraft } from '../../core/ports/forge.ts'
import type { PublishResult } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { proposalHash } from '../../core/proposal-hash.ts'
import { isSameAttempt } from '../../tasks/standing/find-own-work.ts'
import { writeCommitMessage } from '../report/write-commit-message.ts'
import type { PullRequestText } from '../report/write-pull-request.ts'

type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings' | 'clock'>

export type Published =
  | {
      readonly status: 'published'
      readonly branch: string
      readonly sha: string
      readonly pullRequest: TaskResult['pullRequest']
    }
  /** The branch has someone else's commit `sha`, which stays, or is deleted; ours is `kept` when it is finished. */
  | {
      readonly status: 'overtaken'
      readonly branch: string
      readonly sha: string | null
      readonly kept: string | null
    }
  /** `sha` is `null` when not even the branch could be pushed. */
  | {
      readonly status: 'refused'
      readonly branch: string
      readonly sha: string | null
      readonly error: RunError
    }

/**
 * Publishes an attempt: commit, branch, pull request. Safe to repeat: the trailers identify a branch that a killed
 * process pushed, and the head finds the pull request.
 */
export async function publishAttempt(
  attempt: Attempt,
  state: StateFacts<'run.id'>,
  ports: Needs,
  what: {
    readonly changes: ChangeSet
    /** Of a group whose tasks can be told apart: the changes of each, one on top of the other, in a commit each. */
    readonly parts?: readonly { readonly member: Task; readonly changes: ChangeSet }[] | null
    readonly outcome: CommitOutcome
    readonly text: PullRequestText
    readonly labels: readonly string[]
    readonly draft: boolean
  },
): Promise<Published> {
  const { task, start, head } = attempt
  const { changes, parts, outcome, text, labels, draft } = what
  const branch = branchOf(task.id)
  const isFinished = outcome === 'done' || outcome === 'unverified'
  const messageOf = (part?: { readonly member: Task; readonly changes: ChangeSet }) =>
    writeCommitMessage(attempt, state, outcome, ports.settings, part)
  const before = (parts ?? []).slice(0, -1)
  const last = parts?.at(-1)
  const next = {
    ...{ branch, onto: start.sha, head, changes, message: messageOf(last) },
    ...(last !== undefined && {
      steps: before.map((part) => ({ changes: part.changes, message: messageOf(part) })),
      last: last.changes,
    }),
  }
  const pushed = await pushCommit(next, ports)
  const { result } = pushed
  if (result.status === 'refused') {
    return { status: 'refused', branch, sha: null, error: recordOfRefusal(result, task.id) }
  }
  let { sha } = pushed
  if (result.status === 'moved') {
    const found = await findOurs(branch, attempt, state, ports)
    if (found.ours === null) {
      const keeping = isFinished ? await keepOurs(attempt, found.kept ?? sha, ports) : null
      return typeof keeping === 'object' && keeping !== null
        ? { status: 'refused', branch, sha: null, error: keeping }
        : { status: 'overtaken', branch, sha: found.tip, kept: keeping }
    }
    sha = found.ours
  }
  const body = isFinished ? await withMark(text.body, attempt, sha, ports) : text.body
  const pull = { head: branch, base: start.branch, title: text.title, body, labels, draft }
  const opened = await openPullRequest(pull, task, ports)
  return opened.status === 'refused'
    ? { status: 'refused', branch, sha, error: opened.error }
    : { status: 'published', branch, sha, pullRequest: opened.pullRequest }
}

/** Appends the marker that binds an approval in the conversation to this head, and no later one. */
async function withMark(
  body: string,
  { task: { id, fingerprint } }: Attempt,
  sha: string,
  ports: Needs,
): Promise<string> {
  const hash = proposalHash({ kind: 'merge', task: { id, fingerprint }, sha })
  const mark = await markProposal({ task: id, sha, hash }, branchOf(id), ports)
  return `${body.trimEnd()}\n${proposalMarker(mark)}\n`
}

/**
 * The marker of the proposal being published. If the pull request already has it, it keeps its time, so that
 * repeating the step writes nothing and an approval given meanwhile counts.
 */
export async function markProposal(
  { task, sha, hash }: Omit<ProposalMark, 'at'>,
  branch: string,
  { forge, clock }: Pick<Ports, 'forge' | 'clock'>,
): Promise<ProposalMark> {
  const known = await forge.pullRequests('known')
  const open = known.find(({ head, state }) => head === branch && state === 'open')
  const mark = readProposalMarker(open?.body ?? '')
  const isSame = mark?.task === task && mark.sha === sha && mark.hash === hash
  return { task, sha, hash, at: isSame ? mark.at : clock.now() }
}

/** The settings that texts depend on, and the address of the run's log. */
export const wordsFor = ({ settings, forge }: Pick<Ports, 'settings' | 'forge'>) => ({
  ...settings,
  ...(forge.runLog === undefined ? {} : { runLog: forge.runLog }),
})

interface Found {
  /** The present head of the branch. */
  readonly tip: string | null
  /** This very attempt, which a killed process of this run pushed; others may have pushed on top since. */
  readonly ours: string | null
  /** This very attempt, which a killed process kept beside the branch. */
  readonly kept: string | null
}

async function findOurs(
  branch: string,
  { number, task }: Attempt,
  state: StateFacts<'run.id'>,
  { workspace }: Needs,
): Promise<Found> {
  const { base, branches } = await workspace.refresh()
  const mine = { trailers: { [trailer.run]: state.run.id, [trailer.attempt]: String(number) } }
  const tip = branches.find(({ name }) => name === branch)
  const having = { name: trailer.task, value: task.id }
  const own =
    tip === undefined ? [] : await workspace.history(tip.sha, { without: base.sha, having })
  const ours = own.find((each) => isSameAttempt(each, mine))
  const isThere = tip !== undefined && ours !== undefined && !isRolledBack(tip)
  const kept = branches.find(
    (each) => taskIdOfKeptRef(each.name) === task.id && isSameAttempt(each, mine),
  )
  return { tip: tip?.sha ?? null, ours: isThere ? ours.sha : null, kept: kept?.sha ?? null }
}

/** Keeps a finished commit beside its branch; `null` where the forge denies that. */
async function keepOurs(
  { task }: Attempt,
  sha: string,
  { workspace }: Needs,
): Promise<string | RunError | null> {
  const kept = await workspace.keep(task.id, sha)
  if (kept.status === 'published') return sha
  const isUnreachable = kept.status === 'refused' && kept.code === 'forge_unreachable'
  return isUnreachable ? recordOfRefusal(kept, task.id) : null
}

/** A commit to add to one of the executor's branches. */
interface NextCommit {
  readonly branch: string
  /** The commit that the change is based on. */
  readonly onto: string
  /** The head of the branch; `null` before it exists. */
  readonly head: string | null
  /** All that the branch gains. */
  readonly changes: ChangeSet
  readonly message: string
  /** Commits below it, with parts of the changes; `last` has the remaining ones. */
  readonly steps?: readonly { readonly changes: ChangeSet; readonly message: string }[]
  readonly last?: ChangeSet
}

/** Commits and pushes. A branch only grows and is never overwritten: its head becomes a second parent. */
export async function pushCommit(
  { branch, onto, head, changes, message, steps = [], last = changes }: NextCommit,
  { workspace }: Pick<Ports, 'workspace'>,
): Promise<{ readonly sha: string; readonly result: PublishResult }> {
  const grows = head !== null && !(await workspace.contains(onto, head))
  let parents = grows ? [onto, head] : [onto]
  for (const step of steps) parents = [await workspace.commit({ parents, ...step })]
  const sha = await workspace.commit({ parents, changes: last, message })
  // The last check before anything leaves the machine: the commit contains only validated files.
  const validated = new Set(changes.map(({ path }) => path))
  const entries = await workspace.changedBetween(onto, sha)
  const stray = entries.find(({ path, oldPath }) => !validated.has(path) || !validated.has(oldPath))
  if (stray !== undefined) {
    throw new Error(`The commit changes ${stray.path}, which was not validated.`)
  }
  return { sha, result: await workspace.publish(branch, sha, head) }
}

/** Only an account can be assigned; an owner may also be a name or a team. */
const login = /^[a-z\d][\w-]{0,99}$/i

type OpenedPullRequest =
  | { readonly status: 'opened'; readonly pullRequest: TaskResult['pullRequest'] }
  | { readonly status: 'refused'; readonly error: RunError }

/** Opens or updates the pull request of a branch, with the labels and people that the settings and the task add. */
export async function openPullRequest(
  draft: Omit<PullRequestDraft, 'reviewers' | 'assignees'>,
  { id, owner }: Pick<Task, 'id' | 'owner'>,
  { forge, settings }: Pick<Ports, 'forge' | 'settings'>,
): Promise<OpenedPullRequest> {
  const { labels, reviewers, assignees: usual } = settings.pullRequest
  const assignees = [...new Set([...usual, ...(owner?.match(login) ?? [])])]
  const people = { reviewers, assignees }
  const all = [...draft.labels, ...labels]
  const opened = await forge.upsertPullRequest({ ...draft, ...people, labels: all })
  if (opened.status === 'refused') return { ...opened, error: recordOfRefusal(opened, id) }
  const { value } = opened
  return { status: 'opened', pullRequest: value && { number: value.number, url: value.url } }
}
