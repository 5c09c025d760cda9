import { isSettled, type Task } from '../task/task.ts'
import { fillBoxes, type RoadmapEdit, refuseEdit, tickTask } from './document/edit-roadmap.ts'
import type { Box } from './document/list-item.ts'
import { splitSource, withLines } from './document/read-blocks.ts'
import { itemLines, type ReplacedTask, readChanges, type Tick } from './document/read-changes.ts'
import {
  boxesOf,
  type LocatedTask,
  locateTasks,
  type ReadOptions,
  readRoadmap,
} from './document/read-roadmap.ts'
import { tickUnboxed, withBoxes } from './unboxed/tick-unboxed.ts'

/** Three versions of a roadmap: the common ancestor, the executor's branch, and the base. */
export interface RoadmapVersions {
  readonly start: string
  readonly ours: string
  readonly theirs: string
}

export type ResolvedRoadmap =
  /** `gone` lists tasks that the branch ticked or replaced, and that the base no longer has. */
  | { readonly status: 'resolved'; readonly text: string; readonly gone: readonly string[] }
  /** A person must resolve it. */
  | { readonly status: 'conflict'; readonly reason: string }

/**
 * Merges two versions of a roadmap by meaning: the base's document with the ticks and the replaced tasks of the
 * executor's branch. Every other byte is the base's. git would report a conflict for ticks on adjacent lines.
 */
export function resolveRoadmap(
  { start, ours, theirs }: RoadmapVersions,
  options: ReadOptions = {},
): ResolvedRoadmap {
  if ([start, ours, theirs].some((text) => withBoxes(text, []).text !== text)) {
    return resolveUnboxed({ start, ours, theirs }, options)
  }
  // A branch in a stack may already have the base's document, but not its ticks.
  const changes =
    readChanges(start, ours, options) ??
    readChanges(tickedAs(start, theirs, options), ours, options)
  if (changes === null) return otherEdits
  const gone: string[] = []
  let text = theirs
  for (const block of changes.blocks) {
    const edit = putBlock(text, block, options)
    if (edit.status === 'refused') return { status: 'conflict', reason: edit.reason }
    if (edit.text === null) gone.push(block.task.id)
    else text = edit.text
  }
  const ticked = tickAt(text, changes.ticks, options)
  if ('reason' in ticked) return { status: 'conflict', reason: ticked.reason }
  return { status: 'resolved', text: ticked.text, gone: [...new Set([...gone, ...ticked.gone])] }
}

const otherEdits: ResolvedRoadmap = {
  status: 'conflict',
  reason: 'the branch changes more of the roadmap than ticks',
}

/** `null`: the task to edit is no longer there. */
type Placed =
  | { readonly status: 'edited'; readonly text: string | null }
  | Extract<RoadmapEdit, { readonly status: 'refused' }>

const gone = { status: 'edited', text: null } as const

function putBlock(
  text: string,
  block: ReplacedTask,
  { granularity = 'task' }: ReadOptions,
): Placed {
  const { lines } = splitSource(text)
  const { tasks } = locateTasks(text, granularity)
  if (block.ids.some((id) => tasks.some(({ task }) => task.id === id))) {
    return { status: 'edited', text }
  }
  if (block.after !== null && lines.includes(block.lines[0] ?? ''))
    return { status: 'edited', text }
  const [found, ...others] = tasks.filter(({ task }) => task.id === block.task.id)
  if (found === undefined) return gone
  if (others.length > 0) return refuseEdit(`${block.task.id} names more than one task`)
  // A task that a person has settled meanwhile needs no replacement.
  if (isSettled(found.task)) return gone
  const there = itemLines(found, lines)
  if (there.join('\n') !== block.before.join('\n')) {
    return refuseEdit(`the text of ${block.task.id} has changed`)
  }
  const first = found.task.line
  const from = block.after === null ? first : first + block.after
  const to = block.after === null ? found.task.endLine : from - 1
  return { status: 'edited', text: withLines(text, from, to, block.lines) }
}

/** Ticks them all after reading the document once, since a tick moves nothing. */
function tickAt(
  text: string,
  ticks: readonly Tick[],
  { granularity = 'task' }: ReadOptions,
): { readonly text: string; readonly gone: readonly string[] } | { readonly reason: string } {
  const { tasks } = locateTasks(text, granularity)
  const places: Box[] = []
  const left: string[] = []
  for (const tick of ticks) {
    const { id, fingerprint } = tick.task
    const named = tasks.filter(({ task }) => task.id === id)
    const alike =
      named.length > 0 ? named : tasks.filter(({ task }) => task.fingerprint === fingerprint)
    const [found, ...others] = alike
    if (others.length > 0) return { reason: `${id} could be more than one task` }
    if (found === undefined) left.push(id)
    else {
      const boxes = boxesFor(tick, found)
      if (boxes === null) return { reason: `the boxes under ${id} have changed` }
      places.push(...boxes)
    }
  }
  return { text: fillBoxes(text, places), gone: left }
}

/** Nested boxes have no names and are identified by position, so none may have been added or removed. */
function boxesFor(tick: Tick, found: LocatedTask): readonly Box[] | null {
  const { box: own, nested } = found
  if (tick.whole)
    return own.status === 'done' ? [] : [own, ...nested.filter((box) => !isSettled(box))]
  if (tick.nested.length > 0 && nested.length !== tick.count) return null
  const wanted = nested.filter((_, index) => tick.nested.includes(index))
  return [...(tick.own ? [own] : []), ...wanted].filter(({ status }) => status !== 'done')
}

/** The text with the ticks of `start`, and no others. */
function tickedAs(start: string, text: string, { granularity = 'task' }: ReadOptions): string {
  const before = new Map(locateTasks(start, granularity).tasks.map(({ task }) => [task.id, task]))
  const isDone = ({ task }: LocatedTask) => before.get(task.id)?.status === 'done'
  const { tasks } = locateTasks(text, granularity)
  const boxes = (done: boolean, status: Box['status']) =>
    tasks
      .filter((each) => isDone(each) === done)
      .flatMap(boxesOf)
      .filter((box) => box.status === status)
  return fillBoxes(fillBoxes(text, boxes(false, 'done'), ' '), boxes(true, 'pending'))
}

/** Tasks marked by signs have no boxes: compare their statuses to find what the branch finished. */
function resolveUnboxed(
  { start, ours, theirs }: RoadmapVersions,
  options: ReadOptions,
): ResolvedRoadmap {
  const read = (text: string) => readRoadmap(withBoxes(text, []).text, options).tasks
  const before = read(start)
  const done = read(ours).filter(
    ({ id, status }) =>
      status === 'done' && before.some((task) => task.id === id && task.status !== 'done'),
  )
  const there = read(theirs)
  const has = ({ id, fingerprint }: Task): boolean =>
    there.some((task) => task.id === id || task.fingerprint === fingerprint)
  if (tickAll(start, done, options) !== ours) return otherEdits
  const text = tickAll(theirs, done.filter(has), options)
  if (text === null) return { status: 'conflict', reason: 'its tasks are ambiguous' }
  return { status: 'resolved', text, gone: done.filter((each) => !has(each)).map(({ id }) => id) }
}

function tickAll(text: string, tasks: readonly Task[], options: ReadOptions): string | null {
  let ticked = text
  for (const task of tasks) {
    const boxed = tickTask(ticked, task, options)
    const edit = boxed.status === 'edited' ? boxed : tickUnboxed(ticked, task, [], options)
    if (edit === null || edit.status === 'refused') return null
    ticked = edit.text
  }
  return ticked
}
