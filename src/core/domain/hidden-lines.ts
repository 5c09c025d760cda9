/** What a body or a comment of ours says to ourselves, in hidden lines at its very end. The caller knows that it is ours. */
import type { Grant } from './answer.ts'
import { isBefore, secondsOf } from './instant.ts'
import { isTaskId } from './task-id.ts'

/** A text and the hidden lines that it ends with: those that stand earlier came with quoted text. */
export function splitHidden(text: string): {
  readonly words: string
  readonly hidden: readonly string[]
} {
  const lines = text.trimEnd().split(/\r?\n/)
  const isHidden = (line: string) => /^<!-- executor:[^\r\n]{1,1300} -->[ \t]*$/.test(line)
  const end = lines.findLastIndex((line) => !isHidden(line)) + 1
  return { words: lines.slice(0, end).join('\n').trimEnd(), hidden: lines.slice(end) }
}

/** What one of our comments, or a pull request's body, puts to the vote. */
export interface ProposalMark {
  /** Id of the task. */
  readonly task: string
  /** Head of the pull request whose diff it is about. */
  readonly sha: string
  /** `proposalHash` of what an approval carries out. */
  readonly hash: string
  /** ISO 8601, UTC: an approval is younger. */
  readonly at: string
}

export const proposalMarker = ({ task, sha, hash, at }: ProposalMark): string =>
  `<!-- executor:proposal ${task} ${sha} ${hash} ${at} -->`

const proposal =
  /^<!-- executor:proposal (\S{3,81}) ([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{64}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z) -->[ \t]*$/

/** The last proposal of a text; `null` when there is none. */
export function readProposalMarker(text: string): ProposalMark | null {
  const marks = splitHidden(text).hidden.flatMap((line) => {
    const [, task = '', sha = '', hash = '', at = ''] = proposal.exec(line) ?? []
    return isTaskId(task) && secondsOf(at) !== null ? [{ task, sha, hash, at }] : []
  })
  return marks.at(-1) ?? null
}

/** The youngest proposal about this task in texts of ours. */
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

/** The grants of a pull request's body. The caller checks the paths anew. */
export const readGrants = (body: string): readonly Grant[] =>
  splitHidden(body).hidden.flatMap((line) => {
    const [, path, by] =
      /^<!-- executor:allow (\S.{0,1100}) by ([A-Za-z0-9-]{1,39}) -->[ \t]*$/.exec(line) ?? []
    return path && by ? [{ path, by }] : []
  })
