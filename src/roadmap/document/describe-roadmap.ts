import type { Roadmap } from '../../core/domain/task.ts'

/** The document that `executor parse FILE --json` prints: the keys of a task, less those that are left out here. */
export const describeRoadmap = ({ tasks, problems }: Roadmap) => ({
  tasks: tasks.map(({ verify, model, priority, former, ...described }) => described),
  problems,
})
