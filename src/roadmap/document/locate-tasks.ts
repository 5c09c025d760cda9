import type { RoadmapProblem, Task } from '../../core/domain/task.ts'
import { buildTask, findOutsidePaths } from './build-task.ts'
import { findCycles } from './find-cycles.ts'
import { type FoundTask, findTasks, type Granularity, type LooseLines } from './find-tasks.ts'
import { identifyTasks, type NamedTask } from './identify-tasks.ts'
import type { Box } from './list-item.ts'
import { readItemFields } from './read-fields.ts'
import { resolveDependencies } from './resolve-dependencies.ts'
import { splitSource } from './source-lines.ts'

/** A task with the places that an edit needs. */
export interface LocatedTask {
  readonly task: Task
  readonly found: FoundTask
}

/** A task's own box, then those nested under it. */
export const boxesOf = ({ found }: LocatedTask): readonly [Box, ...Box[]] => [
  found.box,
  ...found.subtasks.flatMap(({ box }) => box ?? []),
]

type Located = ReturnType<typeof locate>

let last: {
  readonly text: string
  readonly granularity: Granularity
  readonly located: Located
} | null = null

/**
 * Reads a document step by step: lines, tasks, ids, dependencies, problems. What it read last is kept: a run edits what
 * it has just read, and 10,000 tasks take half a second.
 */
export function locateTasks(text: string, granularity: Granularity): Located {
  if (last?.text === text && last.granularity === granularity) return last.located
  const located = locate(text, granularity)
  last = { text, granularity, located }
  return located
}

function locate(text: string, granularity: Granularity) {
  const { lines } = splitSource(text)
  const outline = findTasks(lines, granularity)
  const identified = identifyTasks(outline.tasks, lines)
  const fields = new Map(
    identified.tasks.map((task) => [
      task,
      [...readItemFields(task.found.item, task.title.lines), ...task.found.below],
    ]),
  )
  const fieldsOf = (task: NamedTask) => fields.get(task) ?? []
  const resolved = resolveDependencies(identified.tasks, outline.sections, fieldsOf)
  const tasks = identified.tasks.map(
    (task, index): LocatedTask => ({
      task: buildTask(task, fieldsOf(task), resolved.dependsOn[index] ?? []),
      found: task.found,
    }),
  )
  const problems: readonly RoadmapProblem[] = [
    ...identified.problems,
    ...identified.tasks.flatMap((task) => findOutsidePaths(task.id, fieldsOf(task))),
    ...resolved.problems,
    ...(tasks.length > 0 ? outline.loose.map(unreadText) : []),
    ...findCycles(tasks.map(({ task }) => task)),
  ]
  return { tasks, problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column) }
}

function unreadText({ line, endLine, isCriteria }: LooseLines): RoadmapProblem {
  const isOne = line === endLine
  const lines = isOne ? `Line ${line}` : `Lines ${line} to ${endLine}`
  return {
    rule: 'unread-text',
    severity: 'note',
    line,
    column: 1,
    message: isCriteria
      ? `${lines} ${isOne ? 'says' : 'say'} how success is told: boxes there are no tasks.`
      : `${lines} ${isOne ? 'belongs' : 'belong'} to no task, so no model is shown this text.`,
    fix: isCriteria
      ? 'Put what is to be done under a heading of its own.'
      : 'Indent it under the task that it is about, or make a task of it.',
  }
}
