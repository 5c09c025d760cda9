import { hash } from 'node:crypto'
import { isSettled, isTaskId, type RoadmapProblem, type Task } from '../../task/task.ts'
import type { FoundTask } from './find-tasks.ts'
import { claimedId, type TaskTitle } from './read-title.ts'

/** A found task with its id. */
export interface NamedTask extends Pick<Task, 'id' | 'fingerprint' | 'former'> {
  readonly found: FoundTask
}

type Section = { readonly name: string; readonly alone: boolean } | null

/**
 * Gives every task its id: the written one, else its section's number, else a hash; never an ordinal. Tasks that
 * would share a derived id get one that also hashes their details; if those are equal, too, they are one task.
 */
export function identifyTasks(found: readonly FoundTask[]): {
  readonly tasks: readonly NamedTask[]
  readonly problems: readonly RoadmapProblem[]
} {
  const placed = withoutDoubtful(found)
  const nameSection = sectionNames(placed)
  const ids = placed.map((task) => chooseId(task, task.title, nameSection(task)))
  const shared = groupShared(ids, (id) => id.toLowerCase())
  const own = placed.map((task, index) => {
    const id = ids[index] ?? ''
    // A derived id that several tasks would share also hashes the details.
    if (isWritten(task) || !shared.has(id.toLowerCase())) return id
    return `T-${longHash(task.path, task.title.title, task.details)}`
  })
  // Tasks with the same text under the same heading are one task.
  const unwritten = placed.flatMap((task, index) => (isWritten(task) ? [] : [index]))
  const twins = groupShared(unwritten, (index) => own[index] ?? '')
  const tasks = placed.flatMap((task, index): NamedTask[] => {
    const id = own[index] ?? ''
    const group = isWritten(task) ? [] : (twins.get(id) ?? [])
    if (group.length > 0 && group[0] !== index) return []
    const joined = joinTwins(
      task,
      group.slice(1).flatMap((at) => found[at] ?? []),
    )
    return [{ ...namesOf(joined, id, nameSection(task)), found: joined }]
  })
  const problems = [...twins].map(([id, group]) =>
    sameTask(
      group.flatMap((index) => placed[index] ?? []),
      id,
    ),
  )
  return { tasks, problems: [...invalidIds(tasks), ...duplicateIds(tasks), ...problems] }
}

/** The id, the fingerprint, and the names that earlier versions gave the task, if those differ. */
function namesOf(
  { path, title, details, ownDetails }: FoundTask,
  id: string,
  section: Section,
): Pick<NamedTask, 'id' | 'fingerprint' | 'former'> {
  const fingerprint = fingerprintOf(title.title, details)
  const former = title.former ?? title
  const isSame = former.title === title.title && ownDetails === details
  const before = {
    id: chooseId({ path }, former, section),
    fingerprint: isSame ? fingerprint : fingerprintOf(former.title, ownDetails),
  }
  return before.id === id && before.fingerprint === fingerprint
    ? { id, fingerprint }
    : { id, fingerprint, former: before }
}

/** The number of the innermost heading above a task that has one. */
export const numberAbove = (
  { sections }: Pick<FoundTask, 'sections'>,
  name: 'phase' | 'section',
): string | null =>
  sections.findLast(({ heading }) => heading[name] !== null)?.heading[name] ?? null

const isWritten = ({ title }: FoundTask): boolean => claimedId(title.claim) !== null

/** Groups the items whose key occurs more than once; most roadmaps have none. */
function groupShared<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const seen = new Set<string>()
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    if (seen.size === seen.add(key).size) groups.set(key, [])
  }
  if (groups.size > 0) for (const item of items) groups.get(keyOf(item))?.push(item)
  return groups
}

/** Drops ids that may be ordinary words when several tasks would have the same one. */
function withoutDoubtful(tasks: readonly FoundTask[]): readonly FoundTask[] {
  const isDoubtful = ({ title: { claim } }: FoundTask): boolean =>
    claim !== null && 'id' in claim && !claim.firm
  if (!tasks.some(isDoubtful)) return tasks
  const keyOf = ({ title }: FoundTask) => claimedId(title.claim)?.toLowerCase() ?? ''
  const shared = groupShared(tasks, keyOf)
  return tasks.map((task) => {
    if (!isDoubtful(task) || !shared.has(keyOf(task))) return task
    const { title, claim, whole } = task.title
    const former = task.title.former ?? { title, claim }
    return { ...task, title: { ...task.title, title: whole, claim: null, former } }
  })
}

function chooseId(
  { path }: Pick<FoundTask, 'path'>,
  { claim, title }: Pick<TaskTitle, 'claim' | 'title'>,
  section: Section,
): string {
  const written = claimedId(claim)
  if (written !== null) return written
  const hash = shortHash(path, title)
  const id = section && (section.alone ? `T-${section.name}` : `T-${section.name}-${hash}`)
  return id !== null && isTaskId(id) ? id : `T-${hash}`
}

/** Merges identical tasks into the first, which is done when all of them are. */
function joinTwins(first: FoundTask, others: readonly FoundTask[]): FoundTask {
  if (others.length === 0) return first
  const { status } = [first, ...others].find((task) => !isSettled(task)) ?? first
  const more = others.flatMap(({ box, column, title: { title, claim }, nested }) => [
    { box, column, title, claim },
    ...nested,
  ])
  return { ...first, status, nested: [...first.nested, ...more] }
}

// `1.1`, or `2-1.1` when two phases have a section 1.1; `alone` when only one task is in it.
function sectionNames(tasks: readonly FoundTask[]): (task: FoundTask) => Section {
  const counts = new Map<string, number>()
  const phases = new Map<string, Set<string | null>>()
  const keyOf = (phase: string | null, section: string) => `${phase} ${section}`
  for (const task of tasks) {
    const section = numberAbove(task, 'section')
    if (section === null) continue
    const phase = numberAbove(task, 'phase')
    const key = keyOf(phase, section)
    counts.set(key, (counts.get(key) ?? 0) + 1)
    phases.set(section, (phases.get(section) ?? new Set()).add(phase))
  }
  return (task) => {
    const section = numberAbove(task, 'section')
    if (section === null) return null
    const phase = numberAbove(task, 'phase')
    const isShared = (phases.get(section)?.size ?? 0) > 1 && phase !== null
    const name = isShared ? `${phase}-${section}` : section
    return { name, alone: counts.get(keyOf(phase, section)) === 1 }
  }
}

function invalidIds(tasks: readonly NamedTask[]): RoadmapProblem[] {
  return tasks
    .flatMap(({ found }) => [
      { line: found.box.line, column: found.column, claim: found.title.claim },
      ...found.nested.map(({ box, column, claim }) => ({ line: box.line, column, claim })),
    ])
    .flatMap(({ line, column, claim }) =>
      claim && 'invalid' in claim
        ? [
            {
              rule: 'invalid-id',
              severity: 'error' as const,
              line,
              column,
              message: `Line ${line}: ${JSON.stringify(claim.invalid.slice(0, 80))} cannot be a task id.`,
              fix: 'Write T- and up to 64 letters, digits, dots, hyphens or underscores, such as T-101.',
            },
          ]
        : [],
    )
}

function duplicateIds(tasks: readonly NamedTask[]): RoadmapProblem[] {
  return [...groupShared(tasks, ({ id }) => id.toLowerCase()).values()].map((named) => {
    const group = named.map(({ found }) => found)
    return {
      rule: 'duplicate-id',
      severity: 'error' as const,
      ...placeOfSecond(group),
      message: `${group.length} tasks have the id ${named[0]?.id}: lines ${linesOf(group)}.`,
      fix: 'Give each task its own id at the start of its title, such as [T-101].',
    }
  })
}

function sameTask(twins: readonly FoundTask[], id: string): RoadmapProblem {
  return {
    rule: 'same-task',
    severity: 'note',
    ...placeOfSecond(twins),
    message: `Lines ${linesOf(twins)} are identical under the same heading, so they are one task, ${id}.`,
    fix: 'Remove all but one, or give them different texts.',
  }
}

const placeOfSecond = ([, second]: readonly FoundTask[]) => ({
  line: second?.box.line ?? 1,
  column: second?.column ?? 1,
})

const linesOf = (tasks: readonly FoundTask[]): string => tasks.map(({ box }) => box.line).join(', ')

/**
 * SHA-256 hex of a task's words. Ticks, white space, line endings and the kind of bullet do not count: changing them
 * does not make it another task.
 */
const fingerprintOf = (title: string, details: string): string =>
  sha256(`${words(title)}\n${words(details.replace(bullet, '- ').replace(box, '[ ]'))}`)

/** Seven hex digits that depend on the heading path and the title alone. */
const shortHash = (headings: readonly string[], title: string): string =>
  sha256([...headings, title].map(words).join('\n')).slice(0, 7)

/** Twelve hex digits that also depend on the details, for tasks with equal titles. */
const longHash = (headings: readonly string[], title: string, details: string): string =>
  sha256([...headings, fingerprintOf(title, details)].map(words).join('\n')).slice(0, 12)

const bullet = /^[ \t]*[*+-][ \t]+/gm
const box = /\[[ \txX~/!-]\](?=\s)/g

const words = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim()

const sha256 = (text: string): string => hash('sha256', text)
