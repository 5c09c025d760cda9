import { isToDo, type Roadmap, type RoadmapProblem, type Task } from '../../task/task.ts'
import { hiddenCharacters, paddedText } from '../../text/text.ts'
import { splitSource } from '../document/source-lines.ts'
import type { LintContext, LintFinding, RuleMatch } from './finding.ts'
import { lintMissingFiles } from './missing-files.ts'
import { isRuleId, lintRules, type RuleId } from './rules.ts'
import { findSharedFiles } from './shared-files.ts'
import { findOversized, findSmallBudget, findVague, TaskPlaces } from './task-size.ts'

type Find = (
  tasks: readonly Task[],
  places: TaskPlaces,
  context: LintContext,
) => readonly RuleMatch[]

/** A rule that checks each open task by itself. */
const ofEach =
  (find: (task: Task, ...rest: [TaskPlaces, LintContext]) => RuleMatch | null): Find =>
  (tasks, ...rest) =>
    tasks.filter(isToDo).flatMap((task) => find(task, ...rest) ?? [])

/** The rules checked here; the parser reports the others while it reads the roadmap. */
const played: readonly (readonly [RuleId, Find])[] = [
  ['no-tasks', (tasks) => (tasks.length === 0 ? [noTasks] : [])],
  ['vague-task', ofEach(findVague)],
  ['oversized-task', ofEach(findOversized)],
  ['small-budget', ofEach(findSmallBudget)],
  ['shared-file', (tasks, ...rest) => (tasks.length < 2 ? [] : findSharedFiles(tasks, ...rest))],
  ['missing-file', lintMissingFiles],
  ['hidden-text', (_, __, { text }) => findHidden(text)],
]

/**
 * All problems of a roadmap in document order: those found while reading it (errors prevent a run), and those that
 * would make the work expensive or unreliable. Pure; the cost per task does not grow with the roadmap.
 */
export function lintRoadmap(roadmap: Roadmap, context: LintContext): readonly LintFinding[] {
  const places = new TaskPlaces(splitSource(context.text).lines)
  const findings = played.flatMap(([rule, find]) => {
    const severity = lintRules.find(({ id }) => id === rule)?.severity ?? 'warning'
    return find(roadmap.tasks, places, context).map((match) => ({ rule, severity, ...match }))
  })
  return [...roadmap.problems.map(fromProblem), ...findings].sort(
    (a, b) => a.line - b.line || a.column - b.column,
  )
}

function fromProblem({ rule, ...rest }: RoadmapProblem): LintFinding {
  if (!isRuleId(rule)) throw new Error(`no rule is called ${rule}`)
  return { rule, ...rest }
}

const noTasks = {
  line: 1,
  column: 1,
  message: 'This document has no tasks: a task is a check box in a list.',
  fix: 'Write one, such as - [ ] Add a login page, or let executor normalize find tasks in prose.',
}

/** The most lines reported for hidden text; more would add no information. */
const mostFindings = 20

/** Finds text that readers do not see, the first on each line. The executor cuts it from every prompt. */
function findHidden(text: string): readonly RuleMatch[] {
  const { starts } = splitSource(text)
  const cuts = [...hiddenCharacters(text), ...paddedText(text)].sort((a, b) => a.start - b.start)
  const findings: RuleMatch[] = []
  let index = 0
  let last = -1
  for (const { start, channel } of cuts) {
    if (findings.length === mostFindings) break
    while ((starts[index + 1] ?? Number.POSITIVE_INFINITY) <= start) index += 1
    if (index === last) continue
    last = index
    findings.push({
      line: index + 1,
      column: start - (starts[index] ?? 0) + 1,
      message: `Line ${index + 1} contains text that readers do not see: ${channel}. The model does not see it either.`,
      fix: 'Remove it, or make it visible.',
    })
  }
  return findings
}
