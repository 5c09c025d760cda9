import type { RoadmapProblem } from '../../core/domain/task.ts'
import { fenced, neutralise, neutraliseLine } from '../../text/markdown/neutralise.ts'

/** What the sticky comment of an issue is found by, together with its author. */
export const issueMarker = '<!-- executor:issue -->'

/** Shown of one issue. */
const mostShown = 20

/** A command that a person is to read shows whatever is in it. */
const spelled = (command: string): string =>
  command.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )

/**
 * The sticky comment of an issue that was labelled and could not be adopted.
 *
 * @param commands of the issue that a writer has to read and confirm
 */
export function writeIssueProblems(
  issue: { readonly by: string },
  problems: readonly RoadmapProblem[],
  commands: readonly string[] = [],
): string {
  const lines = problems
    .slice(0, mostShown)
    .map(({ line, message, fix }) => `- line ${line}: ${neutralise(message)} ${neutralise(fix)}`)
  const left = problems.length - mostShown
  return `${issueMarker}
**Not begun: this cannot be worked on yet.** Nothing was spent.

${lines.join('\n')}${left > 0 ? `\n- and ${left} more` : ''}
${commands.length > 0 ? `\n${fenced(commands.map(spelled).join('\n'), 'sh')}\n` : ''}
<sub>${neutraliseLine(issue.by)} set the label. After an edit, set it anew.</sub>
`
}
