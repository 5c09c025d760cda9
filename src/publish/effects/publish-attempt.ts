import type { ChangeSet } from '../../core/domain/change-set.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import { recordOfRefusal } from '../../core/domain/errors.ts'
import { type CommitOutcome, isRolledBack, trailer } from '../../core/domain/identity.ts'
import type { Attempt, RunError } from '../../core/domain/run-state.ts'
import { branchOf } from '../../core/domain/task-id.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import type { Ports } from '../../core/ports.ts'
import { writeCommitMessage } from '../report/write-commit-message.ts'
import type { PullRequestText } from '../report/write-pull-request.ts'
import { openPullRequest, pushCommit } from './open-pull-request.ts'

type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings'>

type Published =
  | {
      readonly status: 'published'
      readonly branch: string
      readonly sha: string
      readonly pullRequest: TaskResult['pullRequest']
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
  state: StateFacts<'run.id'>,
  ports: Needs,
  what: {
    readonly changes: ChangeSet
    readonly outcome: CommitOutcome
    readonly text: PullRequestText
    readonly labels: readonly string[]
    readonly draft: boolean
  },
): Promise<Published> {
  const { task, start, head } = attempt
  const { changes, outcome, text, labels, draft } = what
  const branch = branchOf(task.id)
  const message = writeCommitMessage(attempt, state, outcome, ports.settings)
  const next = { branch, onto: start.sha, head, changes, message }
  const pushed = await pushCommit(next, ports)
  const { result } = pushed
  if (result.status === 'refused') {
    return { status: 'refused', branch, sha: null, error: recordOfRefusal(result, task.id) }
  }
  let { sha } = pushed
  if (result.status === 'moved') {
    const ours = await findOurs(branch, attempt, state, ports)
    if (ours === null) return { status: 'overtaken', branch, sha: result.sha }
    sha = ours
  }
  const pull = { head: branch, base: start.branch, ...text, labels, draft }
  const opened = await openPullRequest(pull, task.id, ports)
  return opened.status === 'refused'
    ? { status: 'refused', branch, sha, error: opened.error }
    : { status: 'published', branch, sha, pullRequest: opened.pullRequest }
}

/** The head of the branch where a process of this run that was killed pushed this very attempt. */
async function findOurs(
  branch: string,
  { number }: Attempt,
  state: StateFacts<'run.id'>,
  { workspace }: Needs,
): Promise<string | null> {
  const { branches } = await workspace.refresh()
  const tip = branches.find(({ name }) => name === branch)
  const isOurs =
    tip?.trailers[trailer.run] === state.run.id && tip.trailers[trailer.attempt] === String(number)
  return tip !== undefined && isOurs && !isRolledBack(tip) ? tip.sha : null
}
