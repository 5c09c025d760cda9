import { hash } from 'node:crypto'
import { isSettled, type RoadmapProblem, type Task } from '../../core/domain/task.ts'
import { isTaskId } from '../../core/domain/task-id.ts'
import type { FoundTask } from './find-tasks.ts'
import { claimedId } from './read-claim.ts'
import type { TaskTitle } from './read-title.ts'

/** A found task with its name. */
export interface NamedTask extends Pick<Task, 'id' | 'fingerprint' | 'former'> {
  readonly found: FoundTask
}

type Section = { readonly name: string; readonly alone: boolean } | null

/**
 * Gives every task its id: the written one, else its section's number, else a hash; never an ordinal.
 * Tasks that would share an unwritten one get it from their details, too, and where even these are
 * the same they are one task.
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
    // Ids that nobody wrote, and that are not of one task alone, are made of the details, too.
    if (isWritten(task) || !shared.has(id.toLowerCase())) return id
    return `T-${longHash(task.path, task.title.title, task.details)}`
  })
  // Tasks that say the same in the same place are one.
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

/** Its fingerprint, and what versions before called it, where that differs. */
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

/** The number that the innermost heading with one gives a task. */
export function numberAbove(
  { sections }: Pick<FoundTask, 'sections'>,
  name: 'phase' | 'section',
): string | null {
  return sections.findLast(({ heading }) => heading[name] !== null)?.heading[name] ?? null
}

const isWritten = ({ title }: FoundTask): boolean => claimedId(title.claim) !== null

/** Of items that share a key, all by that key; most roadmaps have none. */
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

/** An id that may be words counts only where no other task has the same. */
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

/** The first of several that are one task, which is done when all of them are. */
function joinTwins(first: FoundTask, others: readonly FoundTask[]): FoundTask {
  if (others.length === 0) return first
  const { status } = [first, ...others].find((task) => !isSettled(task)) ?? first
  const more = others.flatMap(({ box, column, title: { title, claim }, nested }) => [
    { box, column, title, claim },
    ...nested,
  ])
  return { ...first, status, nested: [...first.nested, ...more] }
}

// `1.1`, or `2-1.1` where two phases have a section 1.1, and whether the task has it for itself.
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
      message: `${group.length} tasks claim the id ${named[0]?.id}: lines ${linesOf(group)}.`,
      fix: 'Write an id of its own at the start of each, such as [T-101].',
    }
  })
}

function sameTask(twins: readonly FoundTask[], id: string): RoadmapProblem {
  return {
    rule: 'same-task',
    severity: 'note',
    ...placeOfSecond(twins),
    message: `Lines ${linesOf(twins)} say the same under the same heading: they are one task, ${id}.`,
    fix: 'Take all but one out, or make their words differ.',
  }
}

const placeOfSecond = ([, second]: readonly FoundTask[]) => ({
  line: second?.box.line ?? 1,
  column: second?.column ?? 1,
})

const linesOf = (tasks: readonly FoundTask[]): string => tasks.map(({ box }) => box.line).join(', ')

/**
 * SHA-256 hex over a task's words. Ticks, white space, line endings and the kind of bullet are not
 * words: they may change without making it another task.
 */
export function fingerprintOf(title: string, details: string): string {
  return sha256(`${words(title)}\n${words(details.replace(bullet, '- ').replace(box, '[ ]'))}`)
}

/** Seven hex digits that stay while the heading path and the title stay. */
export function shortHash(headings: readonly string[], title: string): string {
  return sha256([...headings, title].map(words).join('\n')).slice(0, 7)
}

/** The same of a task whose title is another's, too: twelve digits, and its details with it. */
export function longHash(headings: readonly string[], title: string, details: string): string {
  return sha256([...headings, fingerprintOf(title, details)].map(words).join('\n')).slice(0, 12)
}

const bullet = /^[ \t]*[*+-][ \t]+/gm
const box = /\[[ \txX~/!-]\](?=\s)/g

function words(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}

function sha256(text: string): string {
  return hash('sha256', text)
}
