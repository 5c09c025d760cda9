import { isTaskId } from '../../../packages/task/task.ts'
import { splitHidden } from '../../../packages/text/text.ts'

/** Trailers that bind the head commit of `agent/<id>` to its task. */
export const trailer = {
  run: 'Executor-Run',
  task: 'Executor-Task',
  attempt: 'Executor-Attempt',
  fingerprint: 'Executor-Fingerprint',
  outcome: 'Executor-Outcome',
  receipt: 'Executor-Receipt',
  /** On each commit of a group: `T-1 <fingerprint>, T-2 <fingerprint>`. The other trailers name its first task. */
  group: 'Executor-Group',
  /** The task of a group that the commit completes. */
  member: 'Executor-Member',
  /** The commit that a group's branch starts from: it may have several commits. */
  start: 'Executor-Start',
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
export type CommitOutcome = (typeof workOutcomes)[number] | 'rolled-back'

/** The outcomes of commits with work in them. */
export const workOutcomes = ['done', 'unverified', 'needs-human', 'replaced', 'asked'] as const

/** A branch by its head commit. */
interface Tip {
  readonly trailers: Readonly<Record<string, string>>
}

/** A task by its id and its words. */
interface Identity {
  readonly id: string
  readonly fingerprint: string
}

/** True when everything that a branch held of its task was reverted: it says nothing about the task. */
export const isRolledBack = ({ trailers }: Tip): boolean => trailers[trailer.outcome] === rolledBack

const rolledBack: CommitOutcome = 'rolled-back'

/** The failed task that a rolled-back branch names; `null` for a rollback that a person asked for. */
export function rolledBackFor(tip: Tip): Identity | null {
  const [id = '', fingerprint = ''] = (tip.trailers[trailer.cause] ?? '').split(' ')
  return isRolledBack(tip) && isTaskId(id) ? { id, fingerprint } : null
}

export const label = {
  /** Describes the present state of one of our pull requests. */
  task: 'executor:task',
  unverified: 'executor:unverified',
  recovery: 'executor:recovery',
  needsHuman: 'executor:needs-human',
  /** Its checks turned red, and the executor tried to repair that. */
  checksRepaired: 'executor:ci-repaired',
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

/** First line of the comment about our commit that is kept beside its branch. */
export const overtakenMarker = '<!-- executor:overtaken -->'

/** Hidden line in a pull request's body that names its task and the fingerprint of its words. */
export const taskMarker = ({ id, fingerprint }: Identity): string =>
  `<!-- executor:task ${id} ${fingerprint} -->`

/**
 * The identity in a pull request's body; `null` when it is missing or was tampered with. We write it last: an earlier
 * one came with quoted text.
 */
export function readTaskMarker(body: string): Identity | null {
  const found = [...body.matchAll(/<!-- executor:task ([\w.-]{3,81}) ([0-9a-f]{64}) -->/g)].at(-1)
  return found?.[1] && found[2] && isTaskId(found[1])
    ? { id: found[1], fingerprint: found[2] }
    : null
}

/** The tasks on a branch: of a group all, else the one that the trailers name; none on another branch. */
export function tasksOfTip({ trailers }: Tip): readonly Identity[] {
  const { [trailer.task]: id = '', [trailer.fingerprint]: fingerprint = '' } = trailers
  const listed = (trailers[trailer.group] ?? '').split(',').flatMap((each) => {
    const [, member = '', mark = ''] = /^\s*(\S{3,81}) ([0-9a-f]{64})\s*$/.exec(each) ?? []
    return isTaskId(member) ? [{ id: member, fingerprint: mark }] : []
  })
  if (!isTaskId(id)) return []
  return listed.some((each) => each.id === id) ? listed : [{ id, fingerprint }]
}

/** Hidden line in the body of a group's pull request: a person took this task out of it. */
export const leftMarker = ({ id, fingerprint }: Identity, why: 'retry' | 'skip'): string =>
  `<!-- executor:left ${id} ${fingerprint} ${why} -->`

const left = /^<!-- executor:left ([\w.-]{3,81}) ([0-9a-f]{64}) (retry|skip) -->[ \t]*$/

/** The tasks that people took out of a group, by its pull request's body; the last word on a task counts. */
export function leftGroup(
  body: string,
): ReadonlyMap<string, { readonly fingerprint: string; readonly why: 'retry' | 'skip' }> {
  const found = splitHidden(body).hidden.flatMap((line) => {
    const [, id = '', fingerprint = '', why] = left.exec(line) ?? []
    return why === 'retry' || why === 'skip' ? [[id, { fingerprint, why }] as const] : []
  })
  return new Map(found)
}

/** The words of this task that a pull request was opened for; `null` when its body does not name it. */
export const fingerprintIn = (body: string, id: string): string | null =>
  tasksInBody(body).find((each) => each.id === id)?.fingerprint ?? null

/** The commit that the branch was started from. */
export const startOfTip = (tip: Tip & { readonly parent: string | null }): string | null =>
  tip.trailers[trailer.start] ?? tip.parent

export const groupTrailer = (members: readonly Identity[]): string =>
  members.map(({ id, fingerprint }) => `${id} ${fingerprint}`).join(', ')

/** Hidden lines in the body of a group's pull request, one for each task, above the marker of its first. */
export const memberMarker = ({ id, fingerprint }: Identity): string =>
  `<!-- executor:member ${id} ${fingerprint} -->`

const member = /^<!-- executor:member ([\w.-]{3,81}) ([0-9a-f]{64}) -->[ \t]*$/

/** The tasks of a pull request by its body: of a group all, else the one that its marker names; none without it. */
export function tasksInBody(body: string): readonly Identity[] {
  const first = readTaskMarker(body)
  if (first === null) return []
  const listed = splitHidden(body).hidden.flatMap((line) => {
    const [, id = '', fingerprint = ''] = member.exec(line) ?? []
    return isTaskId(id) ? [{ id, fingerprint }] : []
  })
  return listed.some(({ id }) => id === first.id) ? listed : [first]
}
