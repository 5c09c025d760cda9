import type { TaskStatus } from '../../task/task.ts'
import { visibleText } from '../../text/text.ts'
import type { Block } from './read-blocks.ts'

/** The check box of a list item. */
export interface Box {
  readonly status: TaskStatus
  /** 1-based. */
  readonly line: number
  /** 1-based, of the character between the brackets. */
  readonly column: number
}

/** A list item with its visible text and the items inside it. */
export interface ListItem {
  readonly box: Box | null
  readonly line: number
  readonly column: number
  readonly endLine: number
  /** The first paragraph without the box, line by line; its first line is `textLine`. */
  readonly text: readonly string[]
  readonly textLine: number
  /** The other paragraphs, line by line. */
  readonly paragraphs: readonly Paragraph[]
  readonly items: readonly ListItem[]
}

export interface Paragraph {
  readonly line: number
  readonly column: number
  readonly text: readonly string[]
}

const statuses: Readonly<Record<string, TaskStatus>> = {
  ' ': 'pending',
  '\t': 'pending',
  x: 'done',
  X: 'done',
  '~': 'in_progress',
  '/': 'in_progress',
  '-': 'cancelled',
  '!': 'blocked',
}

export function readListItem(block: Block, lines: readonly string[]): ListItem {
  const first = block.children[0]
  const head = first?.kind === 'paragraph' ? readParagraph(first, lines) : null
  const box = head && readBox(head)
  const [start = '', ...rest] = head?.text ?? []
  return {
    box,
    line: box?.line ?? block.line,
    column: block.column,
    endLine: block.endLine,
    text: head ? [box ? start.slice(3).trim() : start, ...rest] : [],
    textLine: head?.line ?? block.line,
    paragraphs: block.children
      .filter((child) => child.kind === 'paragraph' && child !== first)
      .map((child) => readParagraph(child, lines)),
    items: block.children
      .filter((child) => child.kind === 'list')
      .flatMap((list) => list.children.map((item) => readListItem(item, lines))),
  }
}

/** Returns true for an item that has a box, or contains one. */
export const holdsBox = ({ box, items }: ListItem): boolean => box !== null || items.some(holdsBox)

// GFM's rule for a task list item, with five states instead of two: brackets at the start of the item's first
// paragraph, then white space, then visible text.
function readBox({ text, line, column }: Paragraph): Box | null {
  const mark = /^\[([ \txX~/!-])\](?:[ \t]|$)/.exec(text[0] ?? '')?.[1]
  const status = mark === undefined ? undefined : statuses[mark]
  if (status === undefined || text.join(' ').slice(3).trim() === '') return null
  return { status, line, column: column + 1 }
}

/** The visible text of a paragraph, without indentation and quote marks. */
export function readParagraph(block: Block, lines: readonly string[]): Paragraph {
  const first = (lines[block.line - 1] ?? '').slice(block.column - 1)
  const rest = lines.slice(block.line, block.endLine).map((line) => line.replace(/^[\s>]+/, ''))
  const text = visibleText([first, ...rest].join('\n'))
  return { line: block.line, column: block.column, text: text.split('\n').map((l) => l.trim()) }
}
