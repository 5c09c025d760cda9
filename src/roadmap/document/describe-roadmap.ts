import type { Roadmap, RoadmapProblem, Task } from '../../core/domain/task.ts'

type DescribedTask = Omit<Task, 'verify' | 'model' | 'priority'>

/** The document that `executor parse FILE --json` prints: these keys, in this order. */
export interface RoadmapDescription {
  readonly tasks: readonly DescribedTask[]
  readonly problems: readonly RoadmapProblem[]
}

export function describeRoadmap({ tasks, problems }: Roadmap): RoadmapDescription {
  return { tasks: tasks.map(describeTask), problems: problems.map(describeProblem) }
}

function describeTask(task: Task): DescribedTask {
  return {
    id: task.id,
    fingerprint: task.fingerprint,
    title: task.title,
    details: task.details,
    status: task.status,
    line: task.line,
    endLine: task.endLine,
    headings: task.headings,
    phase: task.phase,
    section: task.section,
    files: task.files,
    dependsOn: task.dependsOn,
    accept: task.accept,
    subtasks: task.subtasks.map(({ title, status, line }) => ({ title, status, line })),
    budget: task.budget,
  }
}

function describeProblem(problem: RoadmapProblem): RoadmapProblem {
  const { rule, severity, line, column, message, fix } = problem
  return { rule, severity, line, column, message, fix }
}
