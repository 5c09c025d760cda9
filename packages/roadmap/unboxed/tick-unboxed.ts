import type { Roadmap, RoadmapProblem, Task, TaskMark, TaskStatus } from '../../task/task.ts'
import { plainWords } from '../../text/text.ts'
import { findNamed, type RoadmapEdit } from '../document/edit-roadmap.ts'
import {
  lineEnding,
  readBlocks,
  type Source,
  splitSource,
  withLines,
} from '../document/read-blocks.ts'
import { locateTasks, type ReadOptions, readRoadmap } from '../document/read-roadmap.ts'
import { findMarks, sectionsIn } from './find-marks.ts'
import { readStatusSign, statusLine, withDoneSign, withDoneStatus } from './status-sign.ts'

/**
 * The document as if every task that a sign marks or that a model found had a box. A task that a model found in an
 * earlier text counts if its words are still there.
 */
export const withBoxes = (text: string, known: readonly TaskMark[]): Boxed =>
  writeBoxes(text, marksOf(text, known))

/**
 * The document to write to the file. Table rows and headings stay unchanged, since their signs are read as they are.
 */
export function withWrittenBoxes(text: string, known: readonly TaskMark[]): Boxed {
  const marks = marksOf(text, known).filter(({ kind }) => kind !== 'row' && kind !== 'heading')
  return writeBoxes(text, marks)
}

/** A sign, a table, or a line with a status. */
const mayBeMark = /[\u2300-\u2BFF\u{1F000}-\u{1FFFF}|]|status/iu

function marksOf(text: string, known: readonly TaskMark[]): readonly TaskMark[] {
  if (known.length === 0 && !mayBeMark.test(text)) return []
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
 * Ticks a task that has no box: its sign becomes ✅, and an item without a sign gets one. A clause of prose has no
 * place for a tick, so its text stays unchanged. Returns `null` when there is no such task.
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

/** Changes the sign on the task's line to done; no line moves. */
function withDone(text: string, mark: TaskMark): string {
  const { lines } = splitSource(text)
  const isSigned = mark.kind !== 'heading' || readStatusSign(wordsOf(lines[mark.line - 1])) !== null
  const statusAt = isSigned ? null : statusLine(lines, mark.line, lines.length)
  const number = statusAt ?? mark.line
  const line = lines[number - 1] ?? ''
  const ticked = statusAt === null ? doneLine(line, mark) : withDoneStatus(line)
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

const boxes: Readonly<Record<TaskStatus, string>> = {
  pending: '[ ]',
  in_progress: '[~]',
  done: '[x]',
  cancelled: '[-]',
  blocked: '[!]',
}

const bullet = /^([\s>]*(?:[-*+]|\d{1,9}[.)])[ \t]+)/

/** The document with boxes, and the task that each line of it marks. */
interface Boxed {
  readonly text: string
  /** By 1-based line of `text`. */
  readonly marks: ReadonlyMap<number, TaskMark>
}

/**
 * Gives every marked task a check box, on its own line. Only a clause of prose becomes a list item after its
 * paragraph, with its sentence as the details. Keeps line endings.
 */
function writeBoxes(text: string, marks: readonly TaskMark[]): Boxed {
  if (marks.length === 0) return { text, marks: new Map() }
  const source = splitSource(text)
  const { lines, starts } = source
  const first = lineEnding(text)
  const sections = sectionsOf(marks, source)
  const inPlace = new Map(
    marks.filter(({ kind }) => kind !== 'prose').map((mark) => [mark.line, mark]),
  )
  const prose = Map.groupBy(
    marks.filter(({ kind }) => kind === 'prose'),
    ({ line }) => line,
  )
  const tableLines = new Set(tableHeads(marks, lines))
  const written: string[] = []
  const endings: string[] = []
  const placed = new Map<number, TaskMark>()
  for (const [index, line] of lines.entries()) {
    const number = index + 1
    const mark = inPlace.get(number)
    if (mark !== undefined) placed.set(written.length + 1, mark)
    if (mark !== undefined) written.push(boxedLine(line, mark))
    else if (tableLines.has(number)) written.push('')
    else written.push(sections.has(number) && line.trim() !== '' ? `  ${line}` : line)
    for (const clause of prose.get(number) ?? []) {
      written.push('')
      placed.set(written.length + 1, clause)
      written.push(`- ${boxes[clause.status]} ${clause.title}`)
      const sentence = sentenceOf(clause.title, paragraphBefore(lines, number))
      if (sentence !== null) written.push(`  - ${sentence}`)
    }
    if (prose.has(number)) written.push('')
    // The original line's ending goes to the last line written for it; added lines get the text's first.
    const own = text.slice((starts[index] ?? 0) + line.length, starts[index + 1] ?? text.length)
    while (endings.length < written.length - 1) endings.push(first)
    endings.push(own)
  }
  const start = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const whole = written.map((line, index) => line + (endings[index] ?? ''))
  return { text: start + whole.join(''), marks: placed }
}

function boxedLine(line: string, { kind, title, status }: TaskMark): string {
  const before = kind === 'item' ? (bullet.exec(line)?.[1] ?? '- ') : '- '
  return `${before}${boxes[status]} ${title}`
}

/** Lines below a heading that is a task: its details, so they are indented under its box. */
function sectionsOf(marks: readonly TaskMark[], source: Source): ReadonlySet<number> {
  const found = new Set<number>()
  const own = new Set(marks.filter(({ kind }) => kind === 'heading').map(({ line }) => line))
  if (own.size === 0) return found
  for (const { heading, end } of sectionsIn(readBlocks(source), source.lines)) {
    if (!own.has(heading.line)) continue
    for (let line = heading.line + 1; line <= end; line += 1) found.add(line)
  }
  return found
}

/** The two header lines above a table's first marked row, which would be meaningless above a list. */
function tableHeads(marks: readonly TaskMark[], lines: readonly string[]): readonly number[] {
  const rows = new Set(marks.filter(({ kind }) => kind === 'row').map(({ line }) => line))
  return [...rows]
    .filter((line) => !rows.has(line - 1) && (lines[line - 2] ?? '').includes('-'))
    .flatMap((line) => [line - 1, line - 2])
}

/** The sentence that contains the clause, when it says more than the clause. */
function sentenceOf(clause: string, paragraph: string): string | null {
  const wanted = clause.toLowerCase()
  const sentences = paragraph.split(/(?<=[.!?])\s+/)
  const found = sentences.find((sentence) => sentence.toLowerCase().includes(wanted))
  return found === undefined || found.length < clause.length + 8 ? null : found
}

/** Joins the lines of a paragraph that ends at `last`. */
function paragraphBefore(lines: readonly string[], last: number): string {
  let first = last
  while (first > 1 && (lines[first - 2] ?? '').trim() !== '') first -= 1
  return lines
    .slice(first - 1, last)
    .map((line) => line.trim())
    .join(' ')
}

/**
 * The tasks of a document, marked by boxes, by signs, or by a model: those that a run works on, and that `parse`,
 * `plan` and `lint` show. `text` has a box for each of them.
 */
export function readDocument(
  document: string,
  options: ReadOptions = {},
  known: readonly TaskMark[] = [],
): { readonly text: string; readonly roadmap: Roadmap } {
  const { text, marks } = withBoxes(document, known)
  const { tasks, problems } = readRoadmap(text, options)
  const unclear = [...marks].flatMap(([line, { isUnclear }]) => (isUnclear ? [unread(line)] : []))
  const all = [...problems, ...unclear].sort((a, b) => a.line - b.line || a.column - b.column)
  return { text, roadmap: { tasks, problems: all } }
}

const unread = (line: number): RoadmapProblem => ({
  rule: 'unread-status',
  severity: 'note',
  line,
  column: 1,
  message: `Line ${line} has an unknown status; its task waits as if it were blocked.`,
  fix: 'Write done, in progress, planned, blocked or skipped.',
})
