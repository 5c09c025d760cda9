import type { TaskMark } from '../../task/task.ts'
import { holdsBox, type ListItem, readListItem, readParagraph } from '../document/list-item.ts'
import { type Block, readBlocks, splitSource } from '../document/read-blocks.ts'
import {
  crossMeans,
  isLegend,
  readStatusLine,
  readStatusSign,
  type StatusSign,
  statusLine,
} from './status-sign.ts'
import { type Candidate, rowCandidates } from './table-marks.ts'

const anySign = /[^\p{ASCII}]/u

/**
 * Finds tasks marked by signs instead of boxes: `- ⏳ Add login`, a table with a column of signs, lines and headings
 * that begin with one. Skips code, quotes, HTML and everything inside a task with a box, as the parser of boxes does.
 * Pure; uses no model.
 */
export function findMarks(text: string): readonly TaskMark[] {
  if (!anySign.test(text) && !text.includes('|')) return []
  const source = splitSource(text)
  const { lines } = source
  const blocks = readBlocks(source)
  const signed = blocks.flatMap((block) => candidatesIn(block, lines))
  const found = [...signed, ...picturedSiblings(blocks, signed, lines)]
  const headings = headingCandidates(blocks, found, lines)
  const all = [...found, ...headings].sort((a, b) => a.line - b.line)
  const cross = crossMeans(all.map(({ status }) => status))
  const legends = legendLines(blocks, lines)
  const hasBoxes = blocks.some((block) => hasBox(block, lines))
  const ornamental = hasBoxes || !all.some(({ certain }) => certain)
  const names = hasBoxes ? namesIn(blocks, lines) : []
  return all
    .filter(({ kind, title }) => kind !== 'row' || !isNamed(title, names))
    .filter(({ title, line }) => /\p{L}/u.test(title) && !isLegend(title) && !legends.has(line))
    .filter(({ certain }) => certain || !ornamental)
    .map(({ certain: _, ...mark }) => ({ ...mark, status: mark.status ?? cross }))
}

/** The names of boxes and headings, without their numbers. */
function namesIn(blocks: readonly Block[], lines: readonly string[]): readonly string[] {
  const boxed = (item: ListItem): readonly string[] => [
    ...(item.box === null ? [] : [nameOf(item.text[0] ?? '')]),
    ...item.items.flatMap(boxed),
  ]
  return blocks.flatMap((block) => {
    if (block.kind === 'heading') return [nameOf(lines[block.line - 1] ?? '')]
    return block.kind === 'list'
      ? block.children.flatMap((child) => boxed(readListItem(child, lines)))
      : []
  })
}

const nameOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^[^\p{L}]*(?:(?:phase|step|task|milestone|t-)\s*)?[\d.]*[^\p{L}]*/u, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Returns true for a row of a table that only summarizes the progress of tasks with boxes. */
const isNamed = (title: string, names: readonly string[]): boolean => {
  const name = nameOf(title.split(': ')[0] ?? '')
  return name !== '' && names.some((known) => known === name || known.startsWith(`${name} `))
}

/** The lines under headings that explain signs. */
function legendLines(blocks: readonly Block[], lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>()
  for (const { heading, end } of sectionsIn(blocks, lines)) {
    if (!/^[\s#*]*(?:status\s+)?(?:legend|key)\b/i.test(lines[heading.line - 1] ?? '')) continue
    for (let line = heading.line; line <= end; line += 1) found.add(line)
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

const picture = /^\p{Extended_Pictographic}\uFE0F?\s+/u

/** `- 📅 Add login` beside items with known signs: whatever the picture means, the task is not done. */
function picturedSiblings(
  blocks: readonly Block[],
  signed: readonly Candidate[],
  lines: readonly string[],
): readonly Candidate[] {
  const items = signed.filter(({ kind, certain }) => kind === 'item' && certain)
  let isBeside = false
  return blocks.flatMap((block, index): readonly Candidate[] => {
    if (index === 0 || block.kind === 'heading') {
      const next = blocks.find(({ kind }, at) => at > index && kind === 'heading')
      const end = next?.line ?? lines.length + 1
      isBeside = items.some(({ line }) => line >= block.line && line < end)
    }
    if (!isBeside || block.kind !== 'list') return []
    return block.children.flatMap((child): readonly Candidate[] => {
      const { box, text, textLine: line } = readListItem(child, lines)
      const title = (text[0] ?? '').replace(picture, '')
      if (box !== null || title === text[0] || readStatusSign(text[0] ?? '') !== null) return []
      return [{ kind: 'item', line, title, status: 'pending', certain: true }]
    })
  })
}

function itemCandidates(item: ListItem): readonly Candidate[] {
  if (item.box !== null) return []
  const sign = readStatusSign(item.text[0] ?? '')
  if (sign === null) return item.items.flatMap(itemCandidates)
  const { status, rest: title, certain } = sign
  return [{ kind: 'item', line: item.textLine, title, status, certain }]
}

/** A paragraph whose every line begins with a sign is a list with signs as bullets. */
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

/**
 * A heading with a sign, or with a line "Status: …" right below it, is a task if nothing below it is one; its section
 * is the details.
 */
function headingCandidates(
  blocks: readonly Block[],
  found: readonly Candidate[],
  lines: readonly string[],
): readonly Candidate[] {
  return sectionsIn(blocks, lines).flatMap(({ heading, end }) => {
    const words = (lines[heading.line - 1] ?? '').replace(/^[\s#]+/, '')
    const sign = readStatusSign(words) ?? signBelow(words, heading, end, blocks, lines)
    if (sign === null || heading.line !== heading.endLine) return []
    const taken = (line: number) => line > heading.line && line <= end
    const holdsTasks =
      found.some(({ line }) => taken(line)) ||
      blocks.some(
        (block) => taken(block.line) && (block.kind === 'heading' || hasBox(block, lines)),
      )
    if (holdsTasks) return []
    const { status, rest: title, certain } = sign
    return [{ kind: 'heading', line: heading.line, title, status, certain }]
  })
}

function signBelow(
  words: string,
  heading: Block,
  end: number,
  blocks: readonly Block[],
  lines: readonly string[],
): StatusSign | null {
  const [first] = blocks.filter(({ line }) => line > heading.line && line <= end)
  if (heading.depth === 1 || first === undefined) return null
  if (!['paragraph', 'list', 'blockquote'].includes(first.kind)) return null
  const number = statusLine(lines, heading.line, end)
  const status = number === null ? null : readStatusLine(lines[number - 1] ?? '')
  return status === null ? null : { status: status.status, rest: words, certain: true }
}

/** The headings, each with the last line of its section. */
export function sectionsIn(blocks: readonly Block[], lines: readonly string[]) {
  const headings = blocks.filter(({ kind }) => kind === 'heading')
  return headings.map((heading) => {
    const next = headings.find(({ line, depth }) => line > heading.line && depth <= heading.depth)
    return { heading, end: next === undefined ? lines.length : next.line - 1 }
  })
}

const hasBox = (block: Block, lines: readonly string[]): boolean =>
  block.kind === 'list' && block.children.some((item) => holdsBox(readListItem(item, lines)))
