/** Reads how a branch of the executor changed the roadmap: ticks, replaced tasks and comments, and nothing else. */
import { isSettled, type Task } from '../../task/task.ts'
import type { Box } from './list-item.ts'
import { splitSource } from './read-blocks.ts'
import { boxesOf, type LocatedTask, locateTasks, type ReadOptions } from './read-roadmap.ts'

type Named = Pick<Task, 'id' | 'fingerprint'>

/** The boxes of one task that a change ticked. */
export interface Tick {
  readonly task: Named
  /** True when the task's own box was ticked. */
  readonly own: boolean
  /** True when its own box was ticked and no box under it is open. */
  readonly whole: boolean
  /** 0-based positions of the other ticked boxes among the `count` boxes nested under it. */
  readonly nested: readonly number[]
  readonly count: number
}

/** Lines that replaced a task or were added under it. */
export interface ReplacedTask {
  readonly task: Named
  /** The item's previous lines. */
  readonly before: readonly string[]
  readonly lines: readonly string[]
  /** Ids of the tasks in them. */
  readonly ids: readonly string[]
  /** For a comment, how many lines of the item precede it; `null` for a replacement. */
  readonly after: number | null
}

/** Returns `null` for any change that the executor's own branches do not make. */
export function readChanges(before: string, after: string, options: ReadOptions = {}) {
  const old = readSheet(before, options)
  const now = readSheet(after, options)
  const known = new Set(old.tasks.map(({ task }) => task.id))
  const blocks: ReplacedTask[] = []
  const earlier = new Map<number, Box>()
  let at = 0
  let line = 0
  while (line < now.lines.length) {
    if (at < old.lines.length && old.blank[at] === now.blank[line]) {
      const box = old.boxes.get(at + 1)
      if (!isTickOrSame(box, now.boxes.get(line + 1))) return null
      if (box !== undefined) earlier.set(line + 1, box)
      at += 1
      line += 1
      continue
    }
    const block = readBlock(old, now, at, line, known)
    if (block === null) return null
    blocks.push(block)
    line += block.lines.length
    if (block.after === null) at += block.before.length
  }
  if (at < old.lines.length) return null
  return { ticks: now.tasks.flatMap((task) => ticksOf(task, earlier)), blocks }
}

type Sheet = ReturnType<typeof readSheet>

function readSheet(text: string, { granularity = 'task' }: ReadOptions) {
  const { lines } = splitSource(text)
  const { tasks } = locateTasks(text, granularity)
  /** By 1-based line. */
  const boxes = new Map(tasks.flatMap(boxesOf).map((box) => [box.line, box]))
  /** The lines with every box empty. */
  const blank = lines.map((line, index) => {
    const box = boxes.get(index + 1)
    return box === undefined ? line : `${line.slice(0, box.column - 1)} ${line.slice(box.column)}`
  })
  return { lines, blank, boxes, tasks }
}

const isTickOrSame = (before: Box | undefined, after: Box | undefined): boolean =>
  before?.status === after?.status || (before !== undefined && after?.status === 'done')

const isComment = (line: string | undefined): boolean =>
  /^\s*<!-- executor: .*-->\s*$/.test(line ?? '')

const isAuditOf = (line: string | undefined, id: string): boolean =>
  isComment(line) && line?.trim().split(' ', 4)[3] === id

/** Reads the lines that begin here in the new document and that replace an old item or are new. */
function readBlock(
  old: Sheet,
  now: Sheet,
  at: number,
  line: number,
  known: ReadonlySet<string>,
): ReplacedTask | null {
  if (!isComment(now.lines[line])) return null
  const replaced = old.tasks.find(({ task }) => task.line === at + 1)
  if (replaced !== undefined && isAuditOf(now.lines[line], replaced.task.id)) {
    return replacement(replaced, old, now, line, known)
  }
  const above = old.tasks.findLast(({ task }) => task.line <= at)
  if (above === undefined || at > above.task.endLine) return null
  return {
    task: above.task,
    before: itemLines(above, old.lines),
    lines: now.lines.slice(line, line + 1),
    ids: [],
    after: at + 1 - above.task.line,
  }
}

/** The comment, and the new tasks and comments directly after it. */
function replacement(
  replaced: LocatedTask,
  old: Sheet,
  now: Sheet,
  line: number,
  known: ReadonlySet<string>,
): ReplacedTask {
  const fresh = new Map(
    now.tasks.flatMap(({ task }) => (known.has(task.id) ? [] : [[task.line, task] as const])),
  )
  const ids: string[] = []
  let end = line + 1
  for (;;) {
    const task = fresh.get(end + 1)
    if (task === undefined && !isComment(now.lines[end])) break
    if (task !== undefined) ids.push(task.id)
    end = task?.endLine ?? end + 1
  }
  const before = itemLines(replaced, old.lines)
  return { task: replaced.task, before, lines: now.lines.slice(line, end), ids, after: null }
}

/** The lines of a task, including everything nested in it. */
export const itemLines = ({ task }: LocatedTask, lines: readonly string[]): readonly string[] =>
  lines.slice(task.line - 1, task.endLine)

function ticksOf(located: LocatedTask, earlier: ReadonlyMap<number, Box>): readonly Tick[] {
  const { id, fingerprint } = located.task
  const boxes = boxesOf(located)
  const ticked = boxes.flatMap(({ status, line }, index) =>
    status === 'done' && earlier.get(line)?.status !== 'done' ? [index] : [],
  )
  if (ticked.length === 0) return []
  const own = ticked.includes(0)
  const whole = own && boxes.every(isSettled)
  const nested = ticked.filter((index) => index > 0).map((index) => index - 1)
  return [{ task: { id, fingerprint }, whole, own, nested, count: boxes.length - 1 }]
}
