import { isTaskId } from './task-id.ts'

/** Trailers that bind the head commit of `agent/<id>` to its task. */
export const trailer = {
  run: 'Executor-Run',
  task: 'Executor-Task',
  attempt: 'Executor-Attempt',
  fingerprint: 'Executor-Fingerprint',
  outcome: 'Executor-Outcome',
  receipt: 'Executor-Receipt',
  /** On a recovery branch: `proposalHash` of the proposal. */
  proposal: 'Executor-Proposal',
  /** The commit that this one reverts. */
  reverts: 'Executor-Reverts',
  /** On a rolled-back branch: the failed part of its group, and the fingerprint of that part's words. */
  cause: 'Executor-Cause',
} as const

/**
 * `needs-human`: a failed attempt kept for a person to read; nothing builds on it. `replaced`: an edit of the roadmap
 * on a recovery branch. `asked`: a note in the roadmap that a change with destructive operations waits.
 * `rolled-back`: the branch's content was reverted and no longer counts.
 */
export type CommitOutcome =
  | 'done'
  | 'unverified'
  | 'needs-human'
  | 'replaced'
  | 'asked'
  | 'rolled-back'

/** True when everything that a branch held of its task was reverted: it says nothing about the task. */
export const isRolledBack = (tip: {
  readonly trailers: Readonly<Record<string, string>>
}): boolean => tip.trailers[trailer.outcome] === rolledBack

const rolledBack: CommitOutcome = 'rolled-back'

/** The failed task that a rolled-back branch names; `null` for a rollback that a person asked for. */
export function rolledBackFor(tip: {
  readonly trailers: Readonly<Record<string, string>>
}): { readonly id: string; readonly fingerprint: string } | null {
  const [id = '', fingerprint = ''] = (tip.trailers[trailer.cause] ?? '').split(' ')
  return isRolledBack(tip) && isTaskId(id) ? { id, fingerprint } : null
}

export const label = {
  /** Describes the present state of one of our pull requests. */
  task: 'executor:task',
  unverified: 'executor:unverified',
  recovery: 'executor:recovery',
  needsHuman: 'executor:needs-human',
  /** On an open one: one of our comments explains what only a person can decide. */
  attention: 'executor:attention',
  /** On a closed pull request: the task is tried again the next night, or never. */
  deferred: 'executor:deferred',
  skipped: 'executor:skipped',
  /** Closed by a rollback, or the proposal to revert a merged change; it says nothing about the task alone. */
  rolledBack: 'executor:rolled-back',
  /** On an issue: its words are tasks. */
  issue: 'executor',
  /** On the dashboard; the second stops everything. */
  dashboard: 'executor:dashboard',
  stop: 'executor:stop',
} as const

/** First line of the comment that reports a problem of an open pull request. */
export const noticeMarker = '<!-- executor:notice -->'

/** Hidden line in a pull request's body that names its task and the fingerprint of its words. */
export function taskMarker(task: { readonly id: string; readonly fingerprint: string }): string {
  return `<!-- executor:task ${task.id} ${task.fingerprint} -->`
}

/**
 * The identity in a pull request's body; `null` when it is missing or was tampered with. We write it last: an earlier
 * one came with quoted text.
 */
export function readTaskMarker(
  body: string,
): { readonly id: string; readonly fingerprint: string } | null {
  const found = [...body.matchAll(/<!-- executor:task ([\w.-]{3,81}) ([0-9a-f]{64}) -->/g)].at(-1)
  return found?.[1] && found[2] && isTaskId(found[1])
    ? { id: found[1], fingerprint: found[2] }
    : null
}
