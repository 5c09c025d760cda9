import type { Task, TaskMark } from '../../core/domain/task.ts'
import { plainWords } from '../../text/markdown/inline-text.ts'
import type { RoadmapEdit } from '../document/edit-roadmap.ts'
import { findNamed } from '../document/find-named.ts'
import { locateTasks } from '../document/locate-tasks.ts'
import type { ReadOptions } from '../document/read-roadmap.ts'
import { splitSource, withLines } from '../document/source-lines.ts'
import { findMarks } from './find-marks.ts'
import { readStatusSign, statusLine, withDoneSign, withDoneStatus } from './status-sign.ts'
import { type Boxed, bullet, paragraphBefore, writeBoxes } from './write-boxes.ts'

/**
 * The document as if every task told by a sign, and every one a model found, had a box. What a
 * model found in an older text counts where the words still stand.
 */
export function withBoxes(text: string, known: readonly TaskMark[]): Boxed {
  return writeBoxes(text, marksOf(text, known))
}

/**
 * The document to be put into the file: rows and headings stay what they are, since their signs are
 * read as they stand.
 */
export function withWrittenBoxes(text: string, known: readonly TaskMark[]): Boxed {
  const marks = marksOf(text, known).filter(({ kind }) => kind !== 'row' && kind !== 'heading')
  return writeBoxes(text, marks)
}

function marksOf(text: string, known: readonly TaskMark[]): readonly TaskMark[] {
  const signs = findMarks(text)
  const taken = new Set(signs.map(({ line }) => line))
  const { lines } = splitSource(text)
  const others = known.filter((mark) => !taken.has(mark.line) && stillThere(mark, lines))
  return [...signs, ...others]
}

function stillThere({ kind, line, title }: TaskMark, lines: readonly string[]): boolean {
  if (kind !== 'prose') return plainWords(lines[line - 1] ?? '').includes(plainWords(title))
  const paragraph = plainWords(paragraphBefore(lines, line))
  return paragraph.toLowerCase().includes(plainWords(title).toLowerCase())
}

/**
 * Ticks a task that has no box: its sign becomes ✅, and an item without a sign gets one. A clause
 * of prose has no place for a tick: the text stays as it is. `null` when there is no such task.
 */
export function tickUnboxed(
  text: string,
  task: Pick<Task, 'id' | 'fingerprint'>,
  known: readonly TaskMark[],
  { granularity = 'task' }: ReadOptions = {},
): RoadmapEdit | null {
  const boxed = withBoxes(text, known)
  const found = findNamed(locateTasks(boxed.text, granularity).tasks, task)
  if ('reason' in found) return null
  const places = [found.task, ...found.task.subtasks].flatMap(
    ({ line }) => boxed.marks.get(line) ?? [],
  )
  if (places.length === 0) return null
  const open = places.filter(({ kind, status }) => kind !== 'prose' && status !== 'done')
  return { status: 'edited', text: open.reduce(withDone, text) }
}

/** Its line with the sign of a done task; no line moves. */
function withDone(text: string, mark: TaskMark): string {
  const { lines } = splitSource(text)
  const isSigned = mark.kind !== 'heading' || readStatusSign(wordsOf(lines[mark.line - 1])) !== null
  const told = isSigned ? null : statusLine(lines, mark.line, lines.length)
  const number = told ?? mark.line
  const line = lines[number - 1] ?? ''
  const ticked = told === null ? doneLine(line, mark) : withDoneStatus(line)
  return withLines(text, number, number, [ticked])
}

const wordsOf = (line = ''): string => line.replace(/^[\s>#*+-]+|^\s*\d+[.)]\s+/, '')

function doneLine(line: string, { kind, title }: TaskMark): string {
  if (kind === 'row' || readStatusSign(wordsOf(line))) return withDoneSign(line)
  const before = bullet.exec(line)?.[1] ?? ''
  const rest = line.slice(before.length)
  const picture = /^\p{Extended_Pictographic}\uFE0F?\s+/u.exec(rest)?.[0] ?? ''
  return `${before}✅ ${title.startsWith(picture) ? rest : rest.slice(picture.length)}`
}
