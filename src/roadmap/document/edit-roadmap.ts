import type { Task } from '../../core/domain/task.ts'
import { findNamed } from './find-named.ts'
import type { Granularity } from './find-tasks.ts'
import type { Box } from './list-item.ts'
import { locateTasks } from './locate-tasks.ts'
import type { ReadOptions } from './read-roadmap.ts'
import { splitSource } from './source-lines.ts'

export type RoadmapEdit =
  | { readonly status: 'edited'; readonly text: string }
  | { readonly status: 'refused'; readonly reason: string }

/** What a tick needs to know of a task: its own check box, and those nested under it. */
interface Tickable extends Pick<Task, 'id' | 'fingerprint' | 'former' | 'status' | 'line'> {
  readonly boxes: readonly [Box, ...Box[]]
}

/**
 * Ticks a task and the open check boxes nested under it: one byte for each box, every other byte as
 * it was. A task that is ticked already is edited to the same text.
 */
export function tickTask(
  text: string,
  task: Pick<Task, 'id' | 'fingerprint'>,
  options: ReadOptions = {},
): RoadmapEdit {
  const granularity = options.granularity ?? 'task'
  const tasks = findTickable(text, granularity)
  const found = findNamed(tasks, task)
  if ('reason' in found) return { status: 'refused', reason: found.reason }
  if (found.status === 'done') return { status: 'edited', text }
  const [own, ...nested] = found.boxes
  const open = nested.filter(isOpen)
  const ticked = tickBoxes(text, own.status === 'done' ? open : [own, ...open])
  const after: Tickable = {
    ...found,
    status: 'done',
    boxes: [done(own), ...nested.map((b) => (isOpen(b) ? done(b) : b))],
  }
  last = { text: ticked, granularity, tasks: tasks.map((each) => (each === found ? after : each)) }
  return { status: 'edited', text: ticked }
}

/**
 * The result of the last tick, which is what a run ticks next: a tick moves nothing, and to read
 * 10,000 tasks again takes half a second.
 */
let last: {
  readonly text: string
  readonly granularity: Granularity
  readonly tasks: readonly Tickable[]
} | null = null

function findTickable(text: string, granularity: Granularity): readonly Tickable[] {
  if (last?.text === text && last.granularity === granularity) return last.tasks
  return locateTasks(text, granularity).tasks.map(({ task, found }) => {
    const nested = found.subtasks.flatMap((subtask) => subtask.box ?? [])
    const { id, fingerprint, former, status, line } = task
    const named = { id, fingerprint, status, line, ...(former && { former }) }
    return { ...named, boxes: [found.box, ...nested] }
  })
}

const done = (box: Box): Box => ({ ...box, status: 'done' })

function isOpen({ status }: Box): boolean {
  return status !== 'done' && status !== 'cancelled'
}

function tickBoxes(text: string, boxes: readonly Box[]): string {
  const { starts } = splitSource(text)
  const places = boxes.map(({ line, column }) => (starts[line - 1] ?? 0) + column - 1)
  let ticked = ''
  let from = 0
  for (const place of places.sort((a, b) => a - b)) {
    ticked += `${text.slice(from, place)}x`
    from = place + 1
  }
  return ticked + text.slice(from)
}
