export { type RoadmapEdit, tickTask } from './document/edit-roadmap.ts'
export { issueOf, issueTasks, tasksOfIssue } from './document/issue-tasks.ts'
export { readLabel } from './document/read-fields.ts'
export { describeRoadmap, readRoadmap } from './document/read-roadmap.ts'
export {
  annotateTask,
  depthOf,
  idsInPlaceOf,
  idWithModel,
  replaceTask,
} from './document/replace-task.ts'
export { openExchange } from './exchange/open-exchange.ts'
export type { ReadPlan, TriedTask } from './exchange/plan-task.ts'
export type { LintFinding } from './lint/finding.ts'
export { lintRoadmap } from './lint/lint-roadmap.ts'
export { type LintRule, lintRules, type RuleId, visibleExample } from './lint/rules.ts'
export type { ListedIssue } from './listed-issue.ts'
export { resolveRoadmap } from './resolve-roadmap.ts'
export { groundMarks, groundSource, hasPassages } from './unboxed/ground-marks.ts'
export { readDocument, tickUnboxed, withBoxes, withWrittenBoxes } from './unboxed/tick-unboxed.ts'
