import type { Roadmap, RoadmapProblem, Task } from '../../core/domain/task.ts'

type DescribedTask = Omit<Task, 'verify' | 'model' | 'priority' | 'former'>

/** The document that `executor parse FILE --json` prints: these keys, in this order. */
export interface RoadmapDescription {
  readonly tasks: readonly DescribedTask[]
  readonly problems: readonly RoadmapProblem[]
}

export function describeRoadmap({ tasks, problems }: Roadmap): RoadmapDescription {
  return { tasks: tasks.map(describeTask), problems }
}

const describeTask = ({ verify, model, priority, former, ...described }: Task): DescribedTask =>
  described
