import { isSettled, type Task } from '../../task/task.ts'
import type { Granularity } from './find-tasks.ts'
import type { Box } from './list-item.ts'
import { lineStarts } from './read-blocks.ts'
import { type LocatedTask, locateTasks, type ReadOptions } from './read-roadmap.ts'

export type RoadmapEdit =
  | { readonly status: 'edited'; readonly text: string }
  | { readonly status: 'refused'; readonly reason: string }

export const refuseEdit = (reason: string) => ({ status: 'refused', reason }) as const

/**
 * The result of the last tick, which is the document that a run ticks next: a tick moves nothing, and reading 10,000
 * tasks again takes half a second.
 */
let last: {
  readonly text: string
  readonly granularity: Granularity
  readonly tasks: readonly LocatedTask[]
} | null = null

/**
 * Ticks a task and the open check boxes nested under it: changes one byte per box and nothing else. Returns the text
 * unchanged for a task that is already ticked.
 */
export function tickTask(
  text: string,
  task: Pick<Task, 'id' | 'fingerprint'>,
  { granularity = 'task' }: ReadOptions = {},
): RoadmapEdit {
  const isLast = last?.text === text && last.granularity === granularity
  const { tasks } = isLast && last !== null ? last : locateTasks(text, granularity)
  const located = findNamed(tasks, task)
  if ('reason' in located) return refuseEdit(located.reason)
  if (located.task.status === 'done') return { status: 'edited', text }
  const { box: own, nested } = located
  const open = nested.filter((box) => !isSettled(box))
  const ticked = fillBoxes(text, own.status === 'done' ? open : [own, ...open])
  const after = tasks.map((each) => (each === located ? done(each) : each))
  last = { text: ticked, granularity, tasks: after }
  return { status: 'edited', text: ticked }
}

function done({ task, column, box, nested }: LocatedTask): LocatedTask {
  const ticked = (each: Box): Box => ({ ...each, status: 'done' })
  const rest = nested.map((each) => (isSettled(each) ? each : ticked(each)))
  return { task: { ...task, status: 'done' }, column, box: ticked(box), nested: rest }
}

/** Writes this sign into these boxes. */
export function fillBoxes(text: string, boxes: readonly Box[], sign = 'x'): string {
  const starts = lineStarts(text)
  const places = boxes.map(({ line, column }) => (starts[line - 1] ?? 0) + column - 1)
  let filled = ''
  let from = 0
  for (const place of places.sort((a, b) => a - b)) {
    filled += text.slice(from, place) + sign
    from = place + 1
  }
  return filled + text.slice(from)
}

type Named = Pick<Task, 'id' | 'fingerprint'>

/** Returns true when an earlier version began the task under this id and fingerprint. */
export const isFormer = ({ former }: Pick<Task, 'former'>, { id, fingerprint }: Named): boolean =>
  former?.id === id && former.fingerprint === fingerprint

/** The tasks that have this id, or were begun under it. */
export function findByName<T extends { readonly task: Pick<Task, 'id' | 'former'> }>(
  tasks: readonly T[],
  wanted: Named,
): readonly T[] {
  const former = tasks.filter(({ task }) => isFormer(task, wanted))
  return former.length > 0 ? former : tasks.filter(({ task }) => task.id === wanted.id)
}

/**
 * Finds a task. The same id means the same task even if its words changed; the same words mean the same task even if
 * its section was renumbered.
 */
export function findNamed<
  T extends { readonly task: Pick<Task, 'id' | 'fingerprint' | 'former' | 'line'> },
>(tasks: readonly T[], wanted: Named): T | { readonly reason: string } {
  const { id, fingerprint } = wanted
  const named = findByName(tasks, wanted)
  const alike = tasks.filter(({ task }) => task.fingerprint === fingerprint)
  const candidates = named.length > 0 ? named : alike
  const [first] = candidates
  const lines = candidates.map(({ task }) => task.line).join(', ')
  if (!first) return { reason: `The roadmap no longer has the task ${id}.` }
  if (candidates.length === 1) return first
  if (candidates === alike) return { reason: `${id} could be any of the tasks on lines ${lines}.` }
  const same = new Set(named.map(({ task }) => task.fingerprint)).size === 1
  return same ? first : { reason: `${id} names different tasks, on lines ${lines}.` }
}
