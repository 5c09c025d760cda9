import { isTaskId } from './task-id.ts'

/** What binds a commit to its task: trailers of the head commit of `agent/<id>`. */
export const trailer = {
  run: 'Executor-Run',
  task: 'Executor-Task',
  attempt: 'Executor-Attempt',
  fingerprint: 'Executor-Fingerprint',
  outcome: 'Executor-Outcome',
  receipt: 'Executor-Receipt',
  /** Of a recovery branch: `proposalHash` of what it puts to the vote. */
  proposal: 'Executor-Proposal',
  /** The commit whose change this one takes back. */
  reverts: 'Executor-Reverts',
} as const

/**
 * `needs-human`: a failed attempt kept for a person to look at; never built upon.
 * `replaced`: an edit of the roadmap on a recovery branch. `asked`: a note in it, that a change with
 * destructive operations waits. `rolled-back`: what the branch held was taken back, and counts no more.
 */
export type CommitOutcome =
  | 'done'
  | 'unverified'
  | 'needs-human'
  | 'replaced'
  | 'asked'
  | 'rolled-back'

/** Whether all that a branch held of its task was taken back: it says nothing of the task any more. */
export const isRolledBack = (tip: {
  readonly trailers: Readonly<Record<string, string>>
}): boolean => tip.trailers[trailer.outcome] === rolledBack

const rolledBack: CommitOutcome = 'rolled-back'

export const label = {
  /** Says what a pull request of ours is now. */
  task: 'executor:task',
  unverified: 'executor:unverified',
  recovery: 'executor:recovery',
  needsHuman: 'executor:needs-human',
  /** On an open one: a comment of ours says what only a person can decide. */
  attention: 'executor:attention',
  /** Of a pull request that was closed: the task is tried again the next night, or never. */
  deferred: 'executor:deferred',
  skipped: 'executor:skipped',
  /** Closed by a rollback, or the proposal to take back what was merged: no verdict on the task. */
  rolledBack: 'executor:rolled-back',
  /** On an issue: its words are tasks. */
  issue: 'executor',
  /** On the dashboard; the second stops everything. */
  dashboard: 'executor:dashboard',
  stop: 'executor:stop',
} as const

/** Begins the comment that says what is wrong with an open pull request. */
export const noticeMarker = '<!-- executor:notice -->'

/** The hidden line in a pull request's body that says which task, in which words, it is for. */
export function taskMarker(task: { readonly id: string; readonly fingerprint: string }): string {
  return `<!-- executor:task ${task.id} ${task.fingerprint} -->`
}

/**
 * The identity in a pull request's body; `null` when there is none or it was tampered with. It is
 * the last thing we write there: one that stands earlier came with quoted text.
 */
export function readTaskMarker(
  body: string,
): { readonly id: string; readonly fingerprint: string } | null {
  const found = [...body.matchAll(/<!-- executor:task ([\w.-]{3,81}) ([0-9a-f]{64}) -->/g)].at(-1)
  return found?.[1] && found[2] && isTaskId(found[1])
    ? { id: found[1], fingerprint: found[2] }
    : null
}
