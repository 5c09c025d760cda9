import type { RoadmapProblem } from '../../core/domain/task.ts'
import { neutralise, neutraliseLine } from '../../text/markdown/neutralise.ts'

/** What the sticky comment of an issue is found by, together with its author. */
export const issueMarker = '<!-- executor:issue -->'

/** Shown of one issue. */
const mostShown = 20

/** The sticky comment of an issue that was labelled and could not be adopted. */
export function writeIssueProblems(
  issue: { readonly by: string },
  problems: readonly RoadmapProblem[],
): string {
  const lines = problems
    .slice(0, mostShown)
    .map(({ line, message, fix }) => `- line ${line}: ${neutralise(message)} ${neutralise(fix)}`)
  const left = problems.length - mostShown
  return `${issueMarker}
**Not begun: this cannot be worked on yet.** Nothing was spent.

${lines.join('\n')}${left > 0 ? `\n- and ${left} more` : ''}

<sub>${neutraliseLine(issue.by)} set the label. After an edit, set it anew.</sub>
`
}
