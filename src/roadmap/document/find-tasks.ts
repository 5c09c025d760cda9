import type { TaskStatus } from '../../core/domain/task.ts'
import { type Box, type ListItem, readListItem, readParagraph } from './list-item.ts'
import type { Block } from './parse-shape.ts'
import { readBlocks } from './read-blocks.ts'
import { type Field, type FieldName, readParagraphFields } from './read-fields.ts'
import { type Heading, readHeading } from './read-heading.ts'
import { readTitle } from './read-title.ts'

export type Granularity = 'task' | 'leaf'

/** A heading and what is said right under it, before its first task. */
export interface Section {
  readonly heading: Heading
  readonly fields: Field[]
}

/** A task where it stands. */
export interface FoundTask {
  readonly item: ListItem
  readonly box: Box
  /** Its box's; open where it stands in several places and one of them is. */
  readonly status: TaskStatus
  /** Headings above it, outermost first. */
  readonly sections: readonly Section[]
  /** Titles of the headings, and of the list items it is nested under. */
  readonly path: readonly string[]
  readonly subtasks: readonly ListItem[]
  /** Of the last line that belongs to it; 1-based. */
  readonly endLine: number
}

export interface Outline {
  readonly tasks: readonly FoundTask[]
  /** All headings, also those without tasks. */
  readonly sections: readonly Section[]
}

/** Every task of a document, and the headings they stand under. */
export function findTasks(lines: readonly string[], granularity: Granularity): Outline {
  const tasks: FoundTask[] = []
  const all: Section[] = []
  let sections: Section[] = []
  let hasTasks = false
  for (const block of readBlocks(lines)) {
    if (block.kind === 'heading') {
      const section = { heading: readHeading(block, lines), fields: [] }
      sections = [...sections.filter((s) => s.heading.depth < section.heading.depth), section]
      all.push(section)
      hasTasks = false
    } else if (block.kind === 'list') {
      const path = sections.map((section) => section.heading.title)
      const items = block.children.map((child) => readListItem(child, lines))
      const found = items.flatMap((item) => collect(item, sections, path, granularity))
      hasTasks ||= found.length > 0
      for (const task of found) tasks.push(task)
      if (!hasTasks) sections.at(-1)?.fields.push(...items.flatMap(fieldsOfItem))
    } else if (!hasTasks) {
      sections.at(-1)?.fields.push(...fieldsOfBlock(block, lines))
    }
  }
  return { tasks, sections: all }
}

function collect(
  item: ListItem,
  sections: readonly Section[],
  path: readonly string[],
  granularity: Granularity,
): FoundTask[] {
  const subtasks = boxesIn(item)
  if (item.box && (granularity === 'task' || subtasks.length === 0)) {
    const { box, endLine } = item
    return [{ item, box, status: box.status, sections, path, subtasks, endLine }]
  }
  if (subtasks.length === 0) return []
  const inner = [...path, readTitle(item).title].filter((title) => title !== '')
  return item.items.flatMap((child) => collect(child, sections, inner, granularity))
}

function boxesIn(item: ListItem): ListItem[] {
  return item.items.flatMap((child) => [...(child.box ? [child] : []), ...boxesIn(child)])
}

function fieldsOfItem(item: ListItem): Field[] {
  return readParagraphFields({ line: item.textLine, column: item.column, text: item.text })
}

function fieldsOfBlock(block: Block, lines: readonly string[]): Field[] {
  if (block.kind === 'paragraph') return readParagraphFields(readParagraph(block, lines))
  if (block.kind === 'blockquote') return block.children.flatMap((b) => fieldsOfBlock(b, lines))
  if (block.kind === 'list')
    return block.children.flatMap((item) => fieldsOfItem(readListItem(item, lines)))
  return []
}

/** What the headings above a task say under this name, the innermost first; empty where they do not. */
export function fieldAbove({ sections }: FoundTask, name: FieldName): string {
  const fields = sections.toReversed().flatMap((section) => section.fields)
  return fields.find((field) => field.name === name)?.value ?? ''
}
