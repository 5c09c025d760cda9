import type { Roadmap, RoadmapProblem, Task } from '../../core/domain/task.ts'
import { buildTask, findOutsidePaths } from './build-task.ts'
import { findTasks, type Granularity, type LooseLines } from './find-tasks.ts'
import { identifyTasks } from './identify-tasks.ts'
import type { Box } from './list-item.ts'
import { resolveDependencies } from './resolve-dependencies.ts'
import { findCycles } from './sort-by-dependencies.ts'
import { splitSource } from './source-lines.ts'

export interface ReadOptions {
  /** `leaf` makes each innermost check box a task of its own; `task` is the default. */
  readonly granularity?: Granularity
}

/**
 * Reads the tasks of a Markdown document, in document order, and all that is wrong with it: the
 * rules `invalid-id`, `duplicate-id`, `unknown-dependency`, `dependency-cycle` and `invalid-path`.
 * Never throws, whatever the text holds.
 */
export function readRoadmap(text: string, options: ReadOptions = {}): Roadmap {
  const { tasks, problems } = locateTasks(text, options.granularity ?? 'task')
  return { tasks: tasks.map(({ task }) => task), problems }
}

/** A task with the places that an edit needs; its item begins on the line of its box. */
export interface LocatedTask {
  readonly task: Task
  /** Of its item; 1-based. */
  readonly column: number
  readonly box: Box
  /** Those nested under it. */
  readonly nested: readonly Box[]
}

/** A task's own box, then those nested under it. */
export const boxesOf = ({ box, nested }: LocatedTask): readonly [Box, ...Box[]] => [box, ...nested]

type Located = ReturnType<typeof locate>

const none: readonly never[] = []

let last: {
  readonly text: string
  readonly granularity: Granularity
  readonly located: Located
} | null = null

/**
 * Reads a document step by step: lines, tasks, ids, dependencies, problems. What it read last is kept: a run edits what
 * it has just read, and 10,000 tasks take a third of a second.
 */
export function locateTasks(text: string, granularity: Granularity): Located {
  if (last?.text === text && last.granularity === granularity) return last.located
  const located = locate(text, granularity)
  last = { text, granularity, located }
  return located
}

function locate(text: string, granularity: Granularity) {
  const outline = findTasks(splitSource(text), granularity)
  const identified = identifyTasks(outline.tasks)
  const resolved = resolveDependencies(identified.tasks, outline.sections)
  const tasks = identified.tasks.map((named, index): LocatedTask => {
    const { column, box, nested } = named.found
    const task = buildTask(named, resolved.dependsOn[index] ?? [])
    return {
      task,
      column,
      box,
      nested: nested.length === 0 ? none : nested.map((each) => each.box),
    }
  })
  const problems: readonly RoadmapProblem[] = [
    ...identified.problems,
    ...identified.tasks.flatMap(findOutsidePaths),
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

/** The document that `executor parse FILE --json` prints: the keys of a task, less those that are left out here. */
export const describeRoadmap = ({ tasks, problems }: Roadmap) => ({
  tasks: tasks.map(({ verify, model, priority, former, ...described }) => described),
  problems,
})
