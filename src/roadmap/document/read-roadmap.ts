import type { Roadmap } from '../../core/domain/task.ts'
import type { Granularity } from './find-tasks.ts'
import { locateTasks } from './locate-tasks.ts'

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
