import type { TaskMark, TaskStatus } from '../../core/domain/task.ts'
import { type ListItem, readListItem, readParagraph } from '../document/list-item.ts'
import type { Block } from '../document/parse-shape.ts'
import { readBlocks } from '../document/read-blocks.ts'
import { splitLines } from '../document/source-lines.ts'
import {
  crossMeans,
  isLegend,
  readStatusCell,
  readStatusSign,
  type StatusSign,
} from './status-sign.ts'

type Candidate = Omit<TaskMark, 'status'> & {
  readonly status: TaskStatus | null
  readonly certain: boolean
}

const anySign = /[^\p{ASCII}]/u
const tableRule = /^[\s|:-]*-[\s|:-]*$/

/**
 * The tasks of a document that are told by signs instead of boxes: `- ⏳ Add login`, a table with a
 * column of them, lines and headings that begin with one. Code, quotes, HTML and what is inside a
 * task with a box are left alone, as when boxes are read. Pure and exact: no model is asked.
 */
export function findMarks(text: string): readonly TaskMark[] {
  if (!anySign.test(text) && !text.includes('|')) return []
  const { lines } = splitLines(text)
  const blocks = readBlocks(lines)
  const found = blocks.flatMap((block) => candidatesIn(block, lines))
  const headings = headingCandidates(blocks, found, lines)
  const all = [...found, ...headings].sort((a, b) => a.line - b.line)
  const cross = crossMeans(all.map(({ status }) => status))
  const legends = legendLines(blocks, lines)
  const hasBoxes = blocks.some((block) => hasBox(block, lines))
  const ornamental = hasBoxes || !all.some(({ certain }) => certain)
  return all
    .filter(({ title, line }) => /\p{L}/u.test(title) && !isLegend(title) && !legends.has(line))
    .filter(({ certain }) => certain || !ornamental)
    .map(({ certain: _, ...mark }) => ({ ...mark, status: mark.status ?? cross }))
}

/** What stands under a heading that explains signs. */
function legendLines(blocks: readonly Block[], lines: readonly string[]): ReadonlySet<number> {
  const headings = blocks.filter(({ kind }) => kind === 'heading')
  const found = new Set<number>()
  for (const heading of headings) {
    if (!/^[\s#*]*(?:status\s+)?(?:legend|key)\b/i.test(lines[heading.line - 1] ?? '')) continue
    for (let line = heading.line; line <= sectionEnd(heading, headings, lines); line += 1) {
      found.add(line)
    }
  }
  return found
}

function candidatesIn(block: Block, lines: readonly string[]): readonly Candidate[] {
  switch (block.kind) {
    case 'list':
      return block.children.flatMap((child) => itemCandidates(readListItem(child, lines)))
    case 'paragraph':
      return lineCandidates(block, lines)
    case 'table':
      return rowCandidates(block, lines)
    default:
      return []
  }
}

function itemCandidates(item: ListItem): readonly Candidate[] {
  if (item.box !== null) return []
  const sign = readStatusSign(item.text[0] ?? '')
  if (sign === null) return item.items.flatMap(itemCandidates)
  const { status, rest: title, certain } = sign
  return [{ kind: 'item', line: item.textLine, title, status, certain }]
}

/** A paragraph of which every line begins with a sign is a list whose bullets are the signs. */
function lineCandidates(block: Block, lines: readonly string[]): readonly Candidate[] {
  const { text, line } = readParagraph(block, lines)
  const read = text.map((each) => (anySign.test(each.charAt(0)) ? readStatusSign(each) : null))
  if (!read.every((sign) => sign !== null)) return []
  return read.map(({ status, rest: title, certain }, index) => ({
    kind: 'line',
    line: line + index,
    title,
    status,
    certain,
  }))
}

function rowCandidates(block: Block, lines: readonly string[]): readonly Candidate[] {
  const rows = lines.slice(block.line - 1, block.endLine).map(cellsOf)
  const body = rows.slice(2)
  const width = rows[0]?.length ?? 0
  const column = [...Array(width).keys()].find(
    (index) =>
      body.length > 0 && body.every((row) => row.length > index && statusAt(row, index) !== null),
  )
  if (column === undefined || !tableRule.test(lines[block.line] ?? '')) return []
  return body.map((row, index) => ({
    kind: 'row',
    line: block.line + 2 + index,
    title: titleOfRow(row, column),
    status: statusAt(row, column)?.status ?? null,
    certain: true,
  }))
}

const statusAt = (row: readonly string[], column: number): StatusSign | null =>
  readStatusCell(row[column] ?? '')

/** The first cell with words, its number before it and what else is told of it after a colon. */
function titleOfRow(row: readonly string[], status: number): string {
  const cells = row.filter((cell, index) => index !== status && cell !== '')
  const first = cells.findIndex((cell) => /\p{L}.*\p{L}/u.test(cell) && !/^T-[\w.-]+$/.test(cell))
  if (first < 0) return ''
  const number = cells.slice(0, first).find((cell) => /^(?:T-[\w.-]+|\d+(?:\.\d+)+)$/.test(cell))
  const [name = '', ...more] = cells.slice(first)
  const title = [number, name].filter((part) => part !== undefined).join(' ')
  const told = more.find((cell) => /\p{L}\S*\s+\S/u.test(cell))
  return told === undefined || title.length + told.length > 200 ? title : `${title}: ${told}`
}

function cellsOf(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim())
}

/** A heading with a sign is a task when nothing below it is one; its section is the details. */
function headingCandidates(
  blocks: readonly Block[],
  found: readonly Candidate[],
  lines: readonly string[],
): readonly Candidate[] {
  const headings = blocks.filter(({ kind }) => kind === 'heading')
  return headings.flatMap((heading) => {
    const sign = readStatusSign((lines[heading.line - 1] ?? '').replace(/^[\s#]+/, ''))
    if (sign === null || heading.line !== heading.endLine) return []
    const end = sectionEnd(heading, headings, lines)
    const taken = (line: number) => line > heading.line && line <= end
    const holdsTasks =
      found.some(({ line }) => taken(line)) ||
      headings.some(({ line }) => taken(line)) ||
      blocks.some((block) => taken(block.line) && hasBox(block, lines))
    if (holdsTasks) return []
    const { status, rest: title, certain } = sign
    return [{ kind: 'heading', line: heading.line, title, status, certain }]
  })
}

/** The last line of what stands under a heading. */
export function sectionEnd(
  heading: Block,
  headings: readonly Block[],
  lines: readonly string[],
): number {
  const next = headings.find(({ line, depth }) => line > heading.line && depth <= heading.depth)
  return next === undefined ? lines.length : next.line - 1
}

function hasBox(block: Block, lines: readonly string[]): boolean {
  const holds = (item: ListItem): boolean => item.box !== null || item.items.some(holds)
  return block.kind === 'list' && block.children.some((item) => holds(readListItem(item, lines)))
}
