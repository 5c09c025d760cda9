import type { ChangeSet } from '../../core/domain/change-set.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import { type CommitOutcome, isRolledBack, trailer } from '../../core/domain/identity.ts'
import type { Attempt, RunError, RunState } from '../../core/domain/run-state.ts'
import { branchOf } from '../../core/domain/task-id.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type { Ports } from '../../core/ports.ts'
import { writeCommitMessage } from '../report/write-commit-message.ts'
import type { PullRequestText } from '../report/write-pull-request.ts'

type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings'>

export type Published =
  | {
      readonly status: 'published'
      readonly branch: string
      readonly sha: string
      readonly pullRequest: Pick<PullRequest, 'number' | 'url'> | null
    }
  /** Somebody else's commit is on the branch; it stays. */
  | { readonly status: 'overtaken'; readonly branch: string; readonly sha: string }
  /** `sha` is `null` when not even the branch could be pushed. */
  | {
      readonly status: 'refused'
      readonly branch: string
      readonly sha: string | null
      readonly error: RunError
    }

/**
 * An attempt's way to the outside: commit, branch, pull request. Safe to repeat: a branch
 * that a killed process already pushed is recognised by its trailers, and the pull request
 * is found by its head.
 */
export async function publishAttempt(
  attempt: Attempt,
  state: Pick<RunState, 'runId'>,
  ports: Needs,
  what: {
    readonly changes: ChangeSet
    readonly outcome: CommitOutcome
    readonly text: PullRequestText
    readonly labels: readonly string[]
    readonly draft: boolean
  },
): Promise<Published> {
  const branch = branchOf(attempt.task.id)
  const pushed = await pushCommit(attempt, state, ports, what)
  if (pushed.status !== 'pushed') return pushed
  const { reviewers, assignees, labels } = ports.settings.pullRequest
  const opened = await ports.forge.upsertPullRequest({
    head: branch,
    base: attempt.start.branch,
    ...what.text,
    labels: [...what.labels, ...labels],
    draft: what.draft,
    reviewers,
    assignees,
  })
  const { sha } = pushed
  if (opened.status === 'refused') {
    const error = new ExecutorError(opened.code, opened.detail).toRecord(attempt.task.id)
    return { status: 'refused', branch, sha, error }
  }
  const pullRequest = opened.value && { number: opened.value.number, url: opened.value.url }
  return { status: 'published', branch, sha, pullRequest }
}

type Pushed =
  | { readonly status: 'pushed'; readonly sha: string }
  | Extract<Published, { readonly status: 'overtaken' | 'refused' }>

async function pushCommit(
  attempt: Attempt,
  state: Pick<RunState, 'runId'>,
  ports: Needs,
  what: { readonly changes: ChangeSet; readonly outcome: CommitOutcome },
): Promise<Pushed> {
  const branch = branchOf(attempt.task.id)
  const { start, head } = attempt
  // An earlier attempt's branch is grown, never overwritten: its head becomes a second parent.
  const grows = head !== null && !(await ports.workspace.contains(start.sha, head))
  const sha = await ports.workspace.commit({
    parents: grows ? [start.sha, head] : [start.sha],
    changes: what.changes,
    message: writeCommitMessage(attempt, state, what.outcome, ports.settings),
  })
  await checkCommit(start.sha, sha, what.changes, ports)
  const result = await ports.workspace.publish(branch, sha, head)
  if (result.status === 'published') return { status: 'pushed', sha }
  if (result.status === 'refused') {
    const error = new ExecutorError(result.code, result.detail).toRecord(attempt.task.id)
    return { status: 'refused', branch, sha: null, error }
  }
  const view = await ports.workspace.refresh()
  const tip = view.branches.find(({ name }) => name === branch)
  const ours =
    tip?.trailers[trailer.run] === state.runId &&
    tip.trailers[trailer.attempt] === String(attempt.number)
  return tip !== undefined && ours && !isRolledBack(tip)
    ? { status: 'pushed', sha: tip.sha }
    : { status: 'overtaken', branch, sha: result.sha }
}

/** The last look before anything leaves this machine: the commit holds what was validated, no more. */
async function checkCommit(
  start: string,
  sha: string,
  changes: ChangeSet,
  ports: Pick<Ports, 'workspace'>,
): Promise<void> {
  const validated = new Set(changes.map(({ path }) => path))
  const entries = await ports.workspace.changedBetween(start, sha)
  const stray = entries.find(({ path, oldPath }) => !validated.has(path) || !validated.has(oldPath))
  if (stray !== undefined)
    throw new Error(`The commit changes ${stray.path}, which nobody validated.`)
}
