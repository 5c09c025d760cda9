export { saysCreate } from './created-paths.ts'
export {
  inferDependencies,
  isPattern,
  type NeededIds,
  orderTasks,
  type Relations,
  relateTasks,
  suppliersOf,
  taskPaths,
} from './order-tasks.ts'
export { dependencyPlaces, leadsTo, sortByDependencies } from './sort-by-dependencies.ts'
export { isTaskId } from './task-id.ts'
export {
  amountOf,
  idsOf,
  isSettled,
  isToDo,
  type ListedTask,
  membersOf,
  type ProposedTask,
  problemRules,
  proposedTaskSchema,
  type Roadmap,
  type RoadmapProblem,
  type Task,
  type TaskBudget,
  type TaskMark,
  type TaskStatus,
  taskMarkSchema,
  taskSchema,
} from './task-schema.ts'
