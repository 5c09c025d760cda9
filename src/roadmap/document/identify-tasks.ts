import type { RoadmapProblem } from '../../core/domain/task.ts'
import { isTaskId } from '../../core/domain/task-id.ts'
import type { FoundTask } from './find-tasks.ts'
import { shortHash } from './fingerprint.ts'
import { readTitle, type TaskTitle } from './read-title.ts'

/** A found task with its name. */
export interface NamedTask {
  readonly id: string
  readonly found: FoundTask
  readonly title: TaskTitle
  readonly phase: string | null
  readonly section: string | null
}

/** Gives every task its id: the written one, else its section's number, else a hash; never an ordinal. */
export function identifyTasks(tasks: readonly FoundTask[]): {
  readonly tasks: readonly NamedTask[]
  readonly problems: readonly RoadmapProblem[]
} {
  const placed = tasks.map((found) => ({
    found,
    title: readTitle(found.item),
    phase: innermost(found, 'phase'),
    section: innermost(found, 'section'),
  }))
  const nameSection = sectionNames(placed)
  const named = placed.map((task) => ({ ...task, id: chooseId(task, nameSection(task)) }))
  return { tasks: named, problems: [...invalidIds(named), ...duplicateIds(named)] }
}

type PlacedTask = Omit<NamedTask, 'id'>

function innermost(found: FoundTask, name: 'phase' | 'section'): string | null {
  return found.sections.findLast(({ heading }) => heading[name] !== null)?.heading[name] ?? null
}

function chooseId(task: PlacedTask, section: { name: string; alone: boolean } | null): string {
  const { claim, title } = task.title
  if (claim && 'id' in claim) return claim.id
  const hash = shortHash(task.found.path, title)
  const id = section && (section.alone ? `T-${section.name}` : `T-${section.name}-${hash}`)
  return id !== null && isTaskId(id) ? id : `T-${hash}`
}

// `1.1`, or `2-1.1` where two phases have a section 1.1, and whether the task has it for itself.
function sectionNames(tasks: readonly PlacedTask[]) {
  const phases = new Map<string, Set<string | null>>()
  const counts = new Map<string, number>()
  const keyOf = ({ phase, section }: PlacedTask) => `${phase} ${section}`
  for (const task of tasks) {
    if (task.section === null) continue
    phases.set(task.section, (phases.get(task.section) ?? new Set()).add(task.phase))
    counts.set(keyOf(task), (counts.get(keyOf(task)) ?? 0) + 1)
  }
  return (task: PlacedTask) => {
    if (task.section === null) return null
    const shared = (phases.get(task.section)?.size ?? 0) > 1 && task.phase !== null
    const name = shared ? `${task.phase}-${task.section}` : task.section
    return { name, alone: counts.get(keyOf(task)) === 1 }
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
    const lines = group.map(({ found }) => found.item.line).join(', ')
    const harmless = group.every(({ found, title }) => !title.claim && isClosed(found))
    return [
      {
        rule: 'duplicate-id',
        severity: harmless ? ('warning' as const) : ('error' as const),
        line: second.found.item.line,
        column: second.found.item.column,
        message: `${group.length} tasks claim the id ${first.id}: lines ${lines}.`,
        fix: 'Write an id of its own at the start of each, such as [T-101], or make their titles differ.',
      },
    ]
  })
}

function isClosed({ box }: FoundTask): boolean {
  return box.status === 'done' || box.status === 'cancelled'
}
