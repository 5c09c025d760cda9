import { isToDo, type Roadmap, type RoadmapProblem, type Task } from '../../core/domain/task.ts'
import { hiddenCharacters, paddedText } from '../../text/hidden/characters.ts'
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

/** A rule that looks at each open task by itself. */
const ofEach =
  (find: (task: Task, ...rest: [TaskPlaces, LintContext]) => RuleMatch | null): Find =>
  (tasks, ...rest) =>
    tasks.filter(isToDo).flatMap((task) => find(task, ...rest) ?? [])

/** The rules that lint itself plays; what reading the roadmap found is of the others. */
const played: readonly (readonly [RuleId, Find])[] = [
  ['no-tasks', (tasks) => (tasks.length === 0 ? [noTasks] : [])],
  ['vague-task', ofEach(findVague)],
  ['oversized-task', ofEach(findOversized)],
  ['small-budget', ofEach(findSmallBudget)],
  ['shared-file', findSharedFiles],
  ['missing-file', lintMissingFiles],
  ['hidden-text', (_, __, { text }) => findHidden(text)],
]

/**
 * Everything to mend in a roadmap, from its first line to its last: what reading it found (its
 * errors refuse a run), and what would make the work on it dear or doubtful. Asks nobody and reads
 * nothing; the cost per task does not grow with the roadmap.
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
  message: 'There is no task here: a task is a check box in a list.',
  fix: 'Write one: - [ ] Add a login page. executor normalize finds tasks in prose.',
}

/** Lines that are named; more say nothing new. */
const mostFindings = 20

/** What a document holds that nobody sees, the first of each line. It is cut out of every prompt. */
export function findHidden(text: string): readonly RuleMatch[] {
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
      message: `Line ${index + 1} has what people do not see: ${channel}. It is not shown to the model.`,
      fix: 'Take it out, or write what is meant.',
    })
  }
  return findings
}
