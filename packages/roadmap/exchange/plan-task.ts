import { z } from 'zod'
import { isTaskId, type Task, type TaskStatus } from '../../task/task.ts'
import { ownerNamed, readPriority } from '../document/build-task.ts'
import { goesOn, readLabel } from '../document/read-fields.ts'
import { claimedId, readOtherClaim, readOwnClaim } from '../document/read-title.ts'

/** A text is not of the format that it should have; the message says what it lacks. */
export class UnreadablePlan extends Error {
  override readonly name = 'UnreadablePlan'
}

/** A task as it is exchanged with other programs: what a roadmap says of it, without places and derived facts. */
export interface PlanTask
  extends Pick<Task, 'id' | 'title' | 'status' | 'headings' | 'files' | 'dependsOn' | 'accept'>,
    Pick<Task, 'verify' | 'model' | 'priority' | 'budget'> {
  /** Markdown without the lines that are read as other keys. */
  readonly details: string
  readonly together: string | null
  readonly group: string | null
  readonly owner: string | null
  readonly subtasks: readonly { readonly title: string; readonly status: TaskStatus }[]
}

/** With what the last run made of the task, where it was tried. */
export interface TriedTask extends PlanTask {
  readonly verdict?: string
  readonly reason?: string
  readonly branch?: string
}

/** The tasks of a plan, and in sentences what a roadmap cannot hold of it. */
export interface ReadPlan {
  readonly tasks: readonly PlanTask[]
  readonly notes: readonly string[]
}

/** A list that a plan may leave out. */
export const listOrNone = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((value) => value ?? [])

/** A task with nothing but what every plan has. */
export const aPlanTask = (facts: Pick<PlanTask, 'id' | 'title'> & Partial<PlanTask>): PlanTask => ({
  ...{ details: '', status: 'pending', headings: [], files: [], dependsOn: [], accept: [] },
  verify: null,
  model: null,
  together: null,
  group: null,
  priority: 0,
  budget: null,
  subtasks: [],
  ...facts,
  owner: ownerNamed(facts.owner ?? ''),
})

/** The tasks of a roadmap as other programs may have them. A heading above all of them is the document's title. */
export function toPlanTasks(tasks: readonly Task[]): readonly PlanTask[] {
  const [title] = tasks[0]?.headings ?? []
  const isTitled = title !== undefined && tasks.every(({ headings }) => headings[0] === title)
  return tasks.map((task) => {
    const plan = toPlanTask(task)
    return isTitled ? { ...plan, headings: plan.headings.slice(1) } : plan
  })
}

export function toPlanTask(task: Task): PlanTask {
  const { id, title, status, headings, files, dependsOn, accept, verify, model } = task
  const { together = null, group = null, owner = null, elsewhere = [], priority, budget } = task
  return {
    ...{ id, title, details: proseOf(task.details), status, headings, files, accept },
    dependsOn: [...dependsOn, ...elsewhere],
    ...{ verify, model, together, group, owner, priority, budget },
    subtasks: task.subtasks.map((each) => ({ title: each.title, status: each.status })),
  }
}

const fence = /^\s*(?:`{3,}|~{3,})/
const box = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[.\]\s/

/** The details without metadata and nested check boxes, which have keys of their own. */
function proseOf(details: string): string {
  let isCode = false
  let isField = false
  const lines = details.split('\n').filter((line) => {
    if (fence.test(line)) isCode = !isCode
    if (isCode || fence.test(line)) return true
    const label = readLabel(line.replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s+/, '').trim())
    const continues = isField && label === null && line.trim() !== ''
    isField = (label !== null && goesOn(label.value)) || (continues && goesOn(line))
    return label === null && !continues && !box.test(line)
  })
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** The words of other programs for a status; a word that is not here is unknown. */
const statuses: Readonly<Record<TaskStatus, readonly string[]>> = {
  pending: [
    '',
    'pending',
    'todo',
    'open',
    'new',
    'backlog',
    'ready',
    'unstarted',
    'selected for development',
    'triage',
    'failed',
  ],
  in_progress: ['in progress', 'doing', 'started', 'active', 'review', 'in review', 'testing'],
  done: ['done', 'complete', 'completed', 'closed', 'resolved', 'finished', 'merged'],
  cancelled: [
    'cancelled',
    'canceled',
    'wont do',
    'wontfix',
    'duplicate',
    'rejected',
    'not planned',
  ],
  blocked: ['blocked', 'deferred', 'on hold', 'waiting'],
}

const statusOf = new Map(
  Object.entries(statuses).flatMap(([status, words]) =>
    words.map((word) => [word, status as TaskStatus] as const),
  ),
)

/** `null` for an unknown word. */
const readStatus = (word: string): TaskStatus | null =>
  statusOf.get(word.trim().toLowerCase().replaceAll(/[_-]+/g, ' ').replaceAll("'", '')) ?? null

/** The status of a part, which has no note of its own. */
export const partStatus = (word: string): TaskStatus => readStatus(word) ?? 'pending'

/** Reads the words of another program; an unknown one gets a note, and counts as the usual one. */
export function readWords(
  id: string,
  words: { readonly status: string; readonly priority: string },
  notes: string[],
): Pick<PlanTask, 'status' | 'priority'> {
  const status = readStatus(words.status)
  if (status === null) {
    notes.push(`${id}: the status ${JSON.stringify(words.status)} is unknown; it is pending here.`)
  }
  const isUsual = /^(?:none|no priority)?$/i.test(words.priority.trim())
  const priority = isUsual ? 0 : readPriority(words.priority)
  if (priority === null) {
    notes.push(`${id}: the priority ${JSON.stringify(words.priority)} is unknown.`)
  }
  return { status: status ?? 'pending', priority: priority ?? 0 }
}

/** `P1`, as a roadmap and a plan have it; `null` for the usual one. */
export const writePriority = (priority: number): string | null =>
  priority === 0 ? null : `P${priority + 2}`

/** Gives the ids of another program a form that our grammar allows, each once. */
export function createIds(): (raw: string) => string {
  const given = new Map<string, string>()
  const taken = new Set<string>()
  return (raw) => {
    const known = given.get(raw)
    if (known !== undefined) return known
    const base = idFrom(raw)
    let id = base
    for (let count = 2; taken.has(id.toLowerCase()); count += 1) id = `${base}-${count}`
    given.set(raw, id)
    taken.add(id.toLowerCase())
    return id
  }
}

/** Whether a roadmap's reader takes it for an id at the start of a task. */
function isReadAsId(text: string): boolean {
  const written = `${text}: a title`
  const { claim } = readOwnClaim(written) ?? readOtherClaim(written)
  return claimedId(claim) === text
}

/** `ENG-42` stays; `7` and `#7` become `T-7`, `T009` becomes `T-009`, any other word `T-` and its letters. */
function idFrom(raw: string): string {
  const text = raw.trim()
  if (isReadAsId(text)) return text
  const word = text.replace(/^#|^T(?=\d)/, '').replaceAll(/[^A-Za-z0-9._-]+/g, '-')
  const id = `T-${word
    .replaceAll(/\.{2,}/g, '.')
    .replace(/^[._-]+/, '')
    .slice(0, 60)
    .replace(/[._-]+$/, '')}`
  return isTaskId(id) ? id : 'T-task'
}
