import { isSettled, type RoadmapProblem, type Task } from '../../core/domain/task.ts'
import { isTaskId } from '../../core/domain/task-id.ts'
import type { FoundTask } from './find-tasks.ts'
import { fingerprintOf, longHash, shortHash } from './fingerprint.ts'
import type { Claim } from './read-claim.ts'
import { readDetails } from './read-details.ts'
import { readTitle, type TaskTitle } from './read-title.ts'

/** A found task with its name. */
export interface NamedTask {
  readonly id: string
  readonly found: FoundTask
  readonly title: TaskTitle
  readonly details: string
  /** What versions before would call it. */
  readonly former: Pick<Task, 'id' | 'fingerprint'>
  readonly phase: string | null
  readonly section: string | null
}

/**
 * Gives every task its id: the written one, else its section's number, else a hash; never an ordinal.
 * Tasks that would share an unwritten one get it from their details, too, and where even these are
 * the same they are one task.
 */
export function identifyTasks(
  tasks: readonly FoundTask[],
  lines: readonly string[],
): { readonly tasks: readonly NamedTask[]; readonly problems: readonly RoadmapProblem[] } {
  const read = tasks.map((found) => ({
    found,
    title: readTitle(found.item),
    phase: innermost(found, 'phase'),
    section: innermost(found, 'section'),
  }))
  const placed = withoutDoubtful(read)
  const nameSection = sectionNames(placed)
  const named = placed.map((task): NamedTask => {
    const { found, title } = task
    const first = found.item.textLine + title.lines
    const own = readDetails(lines, first, found.endLine)
    const details = [own, ...textAbout(found, lines)].filter((text) => text !== '').join('\n\n')
    const written = readDetails(lines, first, found.item.endLine)
    const section = nameSection(task)
    const former = {
      id: chooseId(found, title.former, section),
      fingerprint: fingerprintOf(title.former.title, written),
    }
    return { ...task, id: chooseId(found, title, section), details, former }
  })
  const { unique, problems } = joinTwins(tellApart(named))
  return { tasks: unique, problems: [...invalidIds(unique), ...duplicateIds(unique), ...problems] }
}

/** What the section that tells of a task says; its tasks say what they are themselves. */
function textAbout({ about }: FoundTask, lines: readonly string[]): readonly string[] {
  return about === null || about.tasks > 0 ? [] : [readDetails(lines, about.line, about.endLine)]
}

type PlacedTask = Omit<NamedTask, 'id' | 'details' | 'former'>

function innermost(found: FoundTask, name: 'phase' | 'section'): string | null {
  return found.sections.findLast(({ heading }) => heading[name] !== null)?.heading[name] ?? null
}

const claimedId = (claim: Claim): string | null => (claim && 'id' in claim ? claim.id : null)

/** An id that may be words counts only where no other task has the same. */
function withoutDoubtful(tasks: readonly PlacedTask[]): readonly PlacedTask[] {
  const keyOf = ({ title }: PlacedTask) => claimedId(title.claim)?.toLowerCase() ?? ''
  const groups = Map.groupBy(tasks, keyOf)
  return tasks.map((task) => {
    const { claim, whole } = task.title
    const isMeant = !(claim && 'id' in claim) || claim.firm || groups.get(keyOf(task))?.length === 1
    return isMeant ? task : { ...task, title: { ...task.title, title: whole, claim: null } }
  })
}

function chooseId(
  { path }: FoundTask,
  { claim, title }: Pick<TaskTitle, 'claim' | 'title'>,
  section: { name: string; alone: boolean } | null,
): string {
  const written = claimedId(claim)
  if (written !== null) return written
  const hash = shortHash(path, title)
  const id = section && (section.alone ? `T-${section.name}` : `T-${section.name}-${hash}`)
  return id !== null && isTaskId(id) ? id : `T-${hash}`
}

const isWritten = ({ title }: NamedTask): boolean => claimedId(title.claim) !== null

/** Ids that nobody wrote, and that are not of one task alone, are made of the details, too. */
function tellApart(tasks: readonly NamedTask[]): readonly NamedTask[] {
  const groups = Map.groupBy(tasks, ({ id }) => id.toLowerCase())
  return tasks.map((task) => {
    const isShared = (groups.get(task.id.toLowerCase())?.length ?? 0) > 1
    if (!isShared || isWritten(task)) return task
    return { ...task, id: `T-${longHash(task.found.path, task.title.title, task.details)}` }
  })
}

/** Tasks that say the same in the same place are one, which is done when all of them are. */
function joinTwins(tasks: readonly NamedTask[]): {
  readonly unique: readonly NamedTask[]
  readonly problems: readonly RoadmapProblem[]
} {
  const groups = Map.groupBy(tasks, (task) => (isWritten(task) ? task : task.id))
  const problems: RoadmapProblem[] = []
  const joined = new Map<NamedTask, NamedTask>()
  for (const twins of groups.values()) {
    const [first, ...others] = twins
    if (first === undefined) continue
    const more = others.flatMap(({ found: { item, subtasks } }) => [item, ...subtasks])
    const { status } = (twins.find(({ found }) => !isSettled(found)) ?? first).found
    const found = { ...first.found, status, subtasks: [...first.found.subtasks, ...more] }
    joined.set(first, others.length === 0 ? first : { ...first, found })
    if (others.length > 0) problems.push(sameTask(twins))
  }
  return { unique: tasks.flatMap((task) => joined.get(task) ?? []), problems }
}

// `1.1`, or `2-1.1` where two phases have a section 1.1, and whether the task has it for itself.
function sectionNames(tasks: readonly PlacedTask[]) {
  const keyOf = ({ phase, section }: PlacedTask) => `${phase} ${section}`
  const groups = Map.groupBy(tasks, keyOf)
  const phases = Map.groupBy(
    [...groups.values()].flatMap(([first]) => first ?? []),
    ({ section }) => section,
  )
  return (task: PlacedTask) => {
    if (task.section === null) return null
    const shared = (phases.get(task.section)?.length ?? 0) > 1 && task.phase !== null
    const name = shared ? `${task.phase}-${task.section}` : task.section
    return { name, alone: groups.get(keyOf(task))?.length === 1 }
  }
}

function invalidIds(tasks: readonly NamedTask[]): RoadmapProblem[] {
  const claimed = tasks.flatMap(({ found, title }) => [
    { item: found.item, claim: title.claim },
    ...found.subtasks.map((item) => ({ item, claim: readTitle(item).claim })),
  ])
  return claimed.flatMap(({ item, claim }) =>
    claim && 'invalid' in claim
      ? [
          {
            rule: 'invalid-id',
            severity: 'error' as const,
            line: item.line,
            column: item.column,
            message: `Line ${item.line}: ${JSON.stringify(claim.invalid.slice(0, 80))} cannot be a task id.`,
            fix: 'Write T- and up to 64 letters, digits, dots, hyphens or underscores, such as T-101.',
          },
        ]
      : [],
  )
}

function duplicateIds(tasks: readonly NamedTask[]): RoadmapProblem[] {
  const groups = Map.groupBy(tasks, ({ id }) => id.toLowerCase())
  return [...groups.values()].flatMap((group) => {
    const [first, second] = group
    if (!first || !second) return []
    return [
      {
        rule: 'duplicate-id',
        severity: 'error' as const,
        line: second.found.item.line,
        column: second.found.item.column,
        message: `${group.length} tasks claim the id ${first.id}: lines ${linesOf(group)}.`,
        fix: 'Write an id of its own at the start of each, such as [T-101].',
      },
    ]
  })
}

function sameTask(twins: readonly NamedTask[]): RoadmapProblem {
  const { line, column } = twins[1]?.found.item ?? { line: 1, column: 1 }
  return {
    rule: 'same-task',
    severity: 'note',
    line,
    column,
    message: `Lines ${linesOf(twins)} say the same under the same heading: they are one task, ${twins[0]?.id}.`,
    fix: 'Take all but one out, or make their words differ.',
  }
}

const linesOf = (tasks: readonly NamedTask[]): string =>
  tasks.map(({ found }) => found.item.line).join(', ')
