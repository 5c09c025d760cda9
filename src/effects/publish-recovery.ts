import { ExecutorError } from '../domain/errors.ts'
import { label, trailer } from '../domain/identity.ts'
import type { Amendment, Attempt, RunError, RunState } from '../domain/run-state.ts'
import { recoveryBranchOf } from '../domain/task-id.ts'
import type { PullRequest } from '../ports/forge.ts'
import type { Ports } from '../ports.ts'
import { writeRecovery } from '../report/write-recovery.ts'
import { replaceTask } from '../roadmap/replace-task.ts'

export type PublishedRecovery =
  | {
      readonly status: 'published'
      readonly branch: string
      readonly sha: string
      readonly pullRequest: Pick<PullRequest, 'number' | 'url'> | null
    }
  /** The roadmap is no longer as it was: nothing was written. */
  | { readonly status: 'refused'; readonly reason: string; readonly error: RunError | null }

/**
 * The edit of the roadmap as one commit on `executor/recovery/<id>`, and its pull request. Safe to
 * repeat: what this run already published is recognised by its trailers.
 */
export async function publishRecovery(
  attempt: Attempt,
  amendment: Amendment,
  state: Pick<RunState, 'runId' | 'roadmap'>,
  ports: Pick<Ports, 'workspace' | 'forge' | 'settings'>,
): Promise<PublishedRecovery> {
  const { task, start } = attempt
  const { workspace, settings } = ports
  const before = (await workspace.readFiles(start.sha, [state.roadmap])).get(state.roadmap)
  if (before === undefined) return refused(`${state.roadmap} is gone`)
  const { granularity } = settings
  const edited = replaceTask(before, amendment, { granularity })
  if (edited.status === 'refused') return refused(edited.reason)
  const branch = recoveryBranchOf(task.id)
  const text = writeRecovery(attempt, amendment, state, settings)
  const tip = (await workspace.refresh()).branches.find(({ name }) => name === branch)
  let sha = tip?.sha ?? ''
  if (tip?.trailers[trailer.run] !== state.runId) {
    const change = { action: 'modify', path: state.roadmap, before, content: edited.text } as const
    sha = await workspace.commit({
      parents: tip === undefined ? [start.sha] : [start.sha, tip.sha],
      changes: [change],
      message: text.commit,
    })
    const result = await workspace.publish(branch, sha, tip?.sha ?? null)
    if (result.status === 'moved') return refused(`${branch} was moved by somebody else`)
    if (result.status === 'refused') {
      const error = new ExecutorError(result.code, result.detail).toRecord(task.id)
      return { status: 'refused', reason: error.message, error }
    }
  }
  const opened = await ports.forge.upsertPullRequest({
    head: branch,
    base: start.branch,
    title: text.title,
    body: text.body,
    labels: [label.recovery, ...settings.pullRequest.labels],
    draft: false,
    reviewers: settings.pullRequest.reviewers,
    assignees: settings.pullRequest.assignees,
  })
  if (opened.status === 'refused') {
    const error = new ExecutorError(opened.code, opened.detail).toRecord(task.id)
    return { status: 'refused', reason: error.message, error }
  }
  const pullRequest = opened.value && { number: opened.value.number, url: opened.value.url }
  return { status: 'published', branch, sha, pullRequest }
}

const refused = (reason: string): PublishedRecovery => ({ status: 'refused', reason, error: null })
