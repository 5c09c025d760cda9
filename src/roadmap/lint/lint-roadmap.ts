import { isToDo, type Roadmap, type RoadmapProblem, type Task } from '../../core/domain/task.ts'
import { splitSource } from '../document/source-lines.ts'
import type { LintContext, LintFinding } from './finding.ts'
import { findHidden } from './hidden-text.ts'
import { lintMissingFiles } from './missing-files.ts'
import { findOversized } from './oversized-task.ts'
import { isRuleId } from './rules.ts'
import { findSharedFiles } from './shared-files.ts'
import { findSmallBudget } from './small-budget.ts'
import { TaskPlaces } from './task-text.ts'
import { findVague } from './vague-task.ts'

/**
 * Everything to mend in a roadmap, from its first line to its last: what reading it found (its
 * errors refuse a run), and what would make the work on it dear or doubtful. Asks nobody and reads
 * nothing; the cost per task does not grow with the roadmap.
 */
export function lintRoadmap(roadmap: Roadmap, context: LintContext): readonly LintFinding[] {
  const places = new TaskPlaces(splitSource(context.text).lines)
  const ofTask = (task: Task) => [
    ...findVague(task, places),
    ...findOversized(task, places),
    ...findSmallBudget(task, places, context),
  ]
  const findings = [
    ...roadmap.problems.map(fromProblem),
    ...(roadmap.tasks.length === 0 ? [noTasks] : []),
    ...roadmap.tasks.filter(isToDo).flatMap(ofTask),
    ...findSharedFiles(roadmap.tasks, context.files, places),
    ...(context.files === null ? [] : lintMissingFiles(roadmap.tasks, context.files, places)),
    ...findHidden(context.text),
  ]
  return findings.sort((a, b) => a.line - b.line || a.column - b.column)
}

function fromProblem({ rule, ...rest }: RoadmapProblem): LintFinding {
  if (!isRuleId(rule)) throw new Error(`no rule is called ${rule}`)
  return { rule, ...rest }
}

const noTasks: LintFinding = {
  rule: 'no-tasks',
  severity: 'warning',
  line: 1,
  column: 1,
  message: 'There is no task here: a task is a check box in a list.',
  fix: 'Write one: - [ ] Add a login page. executor normalize finds tasks in prose.',
}
