/** Reads the hidden lines at the end of our own bodies and comments. The caller knows that they are ours. */

import { isTaskId } from '../../../packages/task/task.ts'
import { type HiddenRecord, type HiddenText, splitHidden } from '../../../packages/text/text.ts'
import type { Grant } from './answer.ts'
import type { StateFacts, StatePatch } from './change-state.ts'
import { isBefore, secondsOf } from './instant.ts'

/** The proposal that one of our comments, or a pull request's body, asks about. */
export interface ProposalMark {
  /** Id of the task. */
  readonly task: string
  /** Head of the pull request whose diff it concerns. */
  readonly sha: string
  /** `proposalHash` of what an approval carries out. */
  readonly hash: string
  /** ISO 8601, UTC: a valid approval is later. */
  readonly at: string
}

export const proposalMarker = ({ task, sha, hash, at }: ProposalMark): string =>
  `<!-- executor:proposal ${task} ${sha} ${hash} ${at} -->`

const proposal =
  /^<!-- executor:proposal (\S{3,81}) ([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{64}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z) -->[ \t]*$/

/** The last proposal of a text; `null` when it has no proposal. */
export function readProposalMarker(text: string): ProposalMark | null {
  const marks = splitHidden(text).hidden.flatMap((line) => {
    const [, task = '', sha = '', hash = '', at = ''] = proposal.exec(line) ?? []
    return isTaskId(task) && secondsOf(at) !== null ? [{ task, sha, hash, at }] : []
  })
  return marks.at(-1) ?? null
}

/** The newest proposal about this task in our texts. */
export function latestProposal(texts: readonly string[], task: string): ProposalMark | null {
  const marks = texts.map(readProposalMarker).filter((mark) => mark?.task === task)
  return marks.reduce(
    (latest, mark) => (latest && mark && !isBefore(latest.at, mark.at) ? latest : mark),
    null,
  )
}

/** Keeps a grant in its pull request's body. */
export const grantMarker = ({ path, by }: Grant): string =>
  `<!-- executor:allow ${path} by ${by} -->`

/** The grants of a pull request's body. The caller checks the paths again. */
export const readGrants = (body: string): readonly Grant[] =>
  splitHidden(body).hidden.flatMap((line) => {
    const [, path, by] =
      /^<!-- executor:allow (\S.{0,1100}) by ([A-Za-z0-9-]{1,39}) -->[ \t]*$/.exec(line) ?? []
    return path && by ? [{ path, by }] : []
  })

/** More records of one run than anyone would read. */
const mostRecords = 100

/** Returns a patch that records text kept from the model, each piece once. */
export function recordHidden(
  state: StateFacts<'record.hidden'>,
  taskId: string,
  removed: readonly (HiddenText & { readonly path?: string })[],
): StatePatch {
  const known = new Set(state.record.hidden.map(keyOf))
  const records = removed.map(
    ({ channel, line, excerpt, path = null }): HiddenRecord => ({
      taskId,
      path,
      channel,
      line,
      excerpt,
    }),
  )
  const fresh = records.filter((record) => !known.has(keyOf(record)))
  return { record: { hidden: [...state.record.hidden, ...fresh].slice(0, mostRecords) } }
}

const keyOf = ({ taskId, path, channel, line, excerpt }: HiddenRecord): string =>
  [taskId, path, channel, line, excerpt].join('\0')
