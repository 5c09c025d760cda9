import type { ChangeSet } from '../../core/domain/change-set.ts'
import { recordOfRefusal } from '../../core/domain/errors.ts'
import type { RunError } from '../../core/domain/run-state.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import type { PullRequestDraft } from '../../core/ports/forge.ts'
import type { PublishResult } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'

/** One commit to put on a branch of ours. */
interface NextCommit {
  readonly branch: string
  /** What the change was made on. */
  readonly onto: string
  /** Of the branch; `null` before it exists. */
  readonly head: string | null
  readonly changes: ChangeSet
  readonly message: string
}

/** Commits and pushes. A branch grows and is never overwritten: its head becomes a second parent. */
export async function pushCommit(
  { branch, onto, head, changes, message }: NextCommit,
  { workspace }: Pick<Ports, 'workspace'>,
): Promise<{ readonly sha: string; readonly result: PublishResult }> {
  const grows = head !== null && !(await workspace.contains(onto, head))
  const parents = grows ? [onto, head] : [onto]
  const sha = await workspace.commit({ parents, changes, message })
  // The last look before anything leaves this machine: the commit holds what was validated, no more.
  const validated = new Set(changes.map(({ path }) => path))
  const entries = await workspace.changedBetween(onto, sha)
  const stray = entries.find(({ path, oldPath }) => !validated.has(path) || !validated.has(oldPath))
  if (stray !== undefined) {
    throw new Error(`The commit changes ${stray.path}, which nobody validated.`)
  }
  return { sha, result: await workspace.publish(branch, sha, head) }
}

type OpenedPullRequest =
  | { readonly status: 'opened'; readonly pullRequest: TaskResult['pullRequest'] }
  | { readonly status: 'refused'; readonly error: RunError }

/** The pull request of a branch of ours, opened or brought up to date, with what the settings want on each. */
export async function openPullRequest(
  draft: Omit<PullRequestDraft, 'reviewers' | 'assignees'>,
  taskId: string,
  { forge, settings }: Pick<Ports, 'forge' | 'settings'>,
): Promise<OpenedPullRequest> {
  const { labels, reviewers, assignees } = settings.pullRequest
  const people = { reviewers, assignees }
  const all = [...draft.labels, ...labels]
  const opened = await forge.upsertPullRequest({ ...draft, ...people, labels: all })
  if (opened.status === 'refused') return { ...opened, error: recordOfRefusal(opened, taskId) }
  const { value } = opened
  return { status: 'opened', pullRequest: value && { number: value.number, url: value.url } }
}
