/** Notes on the parts of a roadmap that no task has, and on tasks that the roadmap itself leaves out. */
import type { RoadmapProblem } from '../../task/task.ts'
import { nameSome } from '../../text/text.ts'
import type { LooseLines } from './find-tasks.ts'
import type { NamedTask } from './identify-tasks.ts'

export function unreadText({ line, endLine, isCriteria }: LooseLines): RoadmapProblem {
  const isOne = line === endLine
  const lines = isOne ? `Line ${line}` : `Lines ${line} to ${endLine}`
  return {
    rule: 'unread-text',
    severity: 'note',
    line,
    column: 1,
    message: isCriteria
      ? `${lines} ${isOne ? 'states' : 'state'} success criteria; check boxes there are not tasks.`
      : `${lines} ${isOne ? 'belongs' : 'belong'} to no task, so no model sees this text.`,
    fix: isCriteria
      ? 'Put work to do under its own heading.'
      : 'Indent it under the task that it is about, or turn it into a task.',
  }
}

const mostNamed = 10

/** One note for each heading, label or remark that leaves tasks out. */
export function leftOutTasks(tasks: readonly NamedTask[]): readonly RoadmapProblem[] {
  const out = tasks.flatMap(({ id, found: { leftOut } }) => (leftOut ? [{ id, ...leftOut }] : []))
  return [...Map.groupBy(out, ({ line }) => line)].map(([line, group]) => {
    const [{ words = '', status = 'cancelled' } = {}] = group
    const ids = nameSome(
      group.map(({ id }) => id),
      mostNamed,
    )
    return {
      rule: 'left-out-task',
      severity: 'note',
      line,
      column: 1,
      message: `Line ${line}, ${JSON.stringify(words.slice(0, 80))}, leaves out ${ids}: ${status}, so no run works on it.`,
      fix: 'To have it done, move it under another heading, or remove the strike-through or the remark.',
    }
  })
}
