/** The sticky comment on a labelled issue. */

import type { RoadmapProblem, Task } from '../../../packages/task/task.ts'
import {
  countOf,
  fenced,
  neutralise,
  neutraliseLine,
  writeList,
} from '../../../packages/text/text.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { isFinishedVerdict, type TaskResult } from '../../core/domain/verdict.ts'
import { because, verdictText } from './describe-verification.ts'

/** The comment is found by this and its author. */
export const issueMarker = '<!-- executor:issue -->'

/** The status of an issue's tasks: one line each, with links. */
export function writeIssueComment(
  issue: { readonly by: string },
  tasks: readonly Task[],
  results: RunState['tasks']['results'],
): string {
  const finished = tasks.filter(
    ({ id, status }) => status === 'done' || isFinishedVerdict(results[id]?.verdict),
  )
  const count = `${finished.length} of ${countOf(tasks.length, 'task')}`
  const head =
    finished.length === tasks.length
      ? `**Ready for review: ${count}.** The issue closes when you merge the last pull request.`
      : `**Ready for review so far: ${count}.**`
  return `${issueMarker}
${head}

${writeList(tasks.map((task) => describeTask(task, results[task.id])))}

<sub>The bot works from the text that ${neutraliseLine(issue.by)} labelled. After an edit, remove the label and add it again; to stop the bot, remove it.</sub>
`
}

function describeTask({ id, title, status }: Task, result: TaskResult | undefined): string {
  const name = `**${id}** ${neutraliseLine(title)}`
  if (status === 'done') return `${name}: already done`
  if (result === undefined) return `${name}: not started`
  const { verdict, pullRequest, branch, reason } = result
  const where = pullRequest === null ? '' : `, #${pullRequest.number} from \`${branch}\``
  return `${name}: ${verdictText(verdict)}${where}${because(reason)}`
}

const mostProblems = 20

/** A command for a person to read, with invisible characters written out. */
const spelled = (command: string): string =>
  command.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )

/**
 * The comment on an issue that could not be adopted.
 *
 * @param commands commands in the issue that a user with write access has to read and confirm
 */
export function writeIssueProblems(
  issue: { readonly by: string },
  problems: readonly RoadmapProblem[],
  commands: readonly string[] = [],
): string {
  const lines = problems
    .slice(0, mostProblems)
    .map(({ line, message, fix }) => `line ${line}: ${neutralise(message)} ${neutralise(fix)}`)
  const left = problems.length - mostProblems
  return `${issueMarker}
**Not started: the bot cannot work on this issue yet.** It has spent nothing.

${writeList(left > 0 ? [...lines, `and ${left} more`] : lines)}
${commands.length > 0 ? `\n${fenced(commands.map(spelled).join('\n'), 'sh')}\n` : ''}
<sub>${neutraliseLine(issue.by)} added the label. After an edit, remove it and add it again.</sub>
`
}
