import { isBefore, secondsOf } from './instant.ts'
import { isTaskId } from './task-id.ts'

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

/** The hidden line at the end of a proposal. Only other lines like it may follow. */
export function proposalMarker({ task, sha, hash, at }: ProposalMark): string {
  return `<!-- executor:proposal ${task} ${sha} ${hash} ${at} -->`
}

/**
 * The proposal that a text of ours ends with; `null` when there is none. It is looked for among the
 * hidden lines at the very end alone: one that stands earlier came with quoted text. The caller
 * knows that the text is ours.
 */
export function readProposalMarker(text: string): ProposalMark | null {
  const lines = text.trimEnd().split(/\r?\n/)
  for (const line of lines.reverse()) {
    if (!/^<!-- executor:[^\r\n]{1,300} -->[ \t]*$/.test(line)) return null
    const mark = readMark(line)
    if (mark !== null) return mark
  }
  return null
}

/** The youngest proposal about this task in texts of ours. */
export function latestProposal(texts: readonly string[], task: string): ProposalMark | null {
  const marks = texts.map(readProposalMarker).filter((mark) => mark !== null)
  return marks
    .filter((mark) => mark.task === task)
    .reduce<ProposalMark | null>(
      (latest, mark) => (latest === null || isBefore(latest.at, mark.at) ? mark : latest),
      null,
    )
}

function readMark(line: string): ProposalMark | null {
  const found =
    /^<!-- executor:proposal (\S{3,81}) ([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{64}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z) -->[ \t]*$/.exec(
      line,
    )
  const [, task = '', sha = '', hash = '', at = ''] = found ?? []
  return isTaskId(task) && secondsOf(at) !== null ? { task, sha, hash, at } : null
}
