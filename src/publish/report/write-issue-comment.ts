import type { RunState } from '../../core/domain/run-state.ts'
import type { Task } from '../../core/domain/task.ts'
import { finishedVerdicts, type TaskResult } from '../../core/domain/verdict.ts'
import { neutralise, neutraliseLine } from '../../text/markdown/neutralise.ts'
import { issueMarker } from './write-issue-problems.ts'

/** How the tasks of an issue stand: one line each, with where to look. */
export function writeIssueComment(
  issue: { readonly by: string },
  tasks: readonly Task[],
  results: RunState['results'],
): string {
  const finished = tasks.filter(({ id, status }) => status === 'done' || isFinished(results[id]))
  const count = `${finished.length} of ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}`
  const head =
    finished.length === tasks.length
      ? `**Ready for you: ${count} done.** The issue closes when the last pull request is merged.`
      : `**${count} done.**`
  const lines = tasks.map((task) => `- ${describeTask(task, results[task.id])}`)
  return `${issueMarker}
${head}

${lines.join('\n')}

<sub>Adopted as it was when ${neutraliseLine(issue.by)} set the label. After an edit, set the label anew; to stop, take it off.</sub>
`
}

function describeTask({ id, title, status }: Task, result: TaskResult | undefined): string {
  const name = `**${id}** ${neutraliseLine(title)}`
  if (status === 'done') return `${name}: done before`
  if (result === undefined) return `${name}: not begun`
  const { verdict, pullRequest, branch, reason } = result
  const where = pullRequest === null ? '' : `, #${pullRequest.number} from \`${branch}\``
  const why = reason === '' ? '' : `: ${neutralise(reason)}`
  return `${name}: ${verdict.replace('_', ' ')}${where}${why}`
}

const isFinished = (result: TaskResult | undefined): boolean =>
  result !== undefined && finishedVerdicts.includes(result.verdict)
