import type { RoadmapProblem, Task } from '../../core/domain/task.ts'
import { buildTask, findOutsidePaths } from './build-task.ts'
import { findCycles } from './find-cycles.ts'
import { type FoundTask, findTasks, type Granularity } from './find-tasks.ts'
import { identifyTasks, type NamedTask } from './identify-tasks.ts'
import { readItemFields } from './read-fields.ts'
import { resolveDependencies } from './resolve-dependencies.ts'
import { splitLines } from './source-lines.ts'

/** A task with the places that an edit needs. */
export interface LocatedTask {
  readonly task: Task
  readonly found: FoundTask
}

/** Reads a document step by step: lines, tasks, ids, dependencies, problems. */
export function locateTasks(
  text: string,
  granularity: Granularity,
): { readonly tasks: readonly LocatedTask[]; readonly problems: readonly RoadmapProblem[] } {
  const { lines } = splitLines(text)
  const outline = findTasks(lines, granularity)
  const identified = identifyTasks(outline.tasks, lines)
  const fields = new Map(
    identified.tasks.map((task) => [task, readItemFields(task.found.item, task.title.lines)]),
  )
  const fieldsOf = (task: NamedTask) => fields.get(task) ?? []
  const resolved = resolveDependencies(identified.tasks, outline.sections, fieldsOf)
  const tasks = identified.tasks.map((task, index) => ({
    task: buildTask(task, fieldsOf(task), resolved.dependsOn[index] ?? []),
    found: task.found,
  }))
  const problems = [
    ...identified.problems,
    ...identified.tasks.flatMap((task) => findOutsidePaths(task.id, fieldsOf(task))),
    ...resolved.problems,
    ...findCycles(tasks.map(({ task }) => task)),
  ]
  return { tasks, problems: problems.sort((a, b) => a.line - b.line || a.column - b.column) }
}
