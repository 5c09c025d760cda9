import { type ListItem, readListItem, readParagraph } from './list-item.ts'
import type { Block } from './parse-shape.ts'
import { type Field, goesOn, readItemFields, readParagraphFields } from './read-fields.ts'

/** What stands under a heading, one after the other: items of lists, and whole other blocks. */
export interface SectionUnit {
  readonly block: Block
  /** Of a list. */
  readonly item: ListItem | null
  /** Words that lead to what follows: "Backend:", a line in bold. */
  readonly isLabel: boolean
  /** A box of it says how success is told, not what to do. */
  readonly isCriterion: boolean
}

const criteria =
  /^[^\p{L}]*(?:(?:success|acceptance|exit|completion|quality|release) (?:criteria|criterion|metrics?|gates?)|definition of (?:done|ready)|done when|(?:expected|desired) (?:outcomes?|results?|benefits?)|outcomes?|benefits|success looks like|how (?:we|you)(?:'ll| will)? know)(?:\s+(?:for|when)\b.*)?[^\p{L}]*(?:\(.*)?$/iu

/** True for words under which boxes tell how success is seen. */
export const isCriteria = (words: string): boolean => criteria.test(words)

/** The units of the blocks under one heading. */
export function readUnits(
  blocks: readonly Block[],
  heading: string,
  lines: readonly string[],
): readonly SectionUnit[] {
  let isCriterion = isCriteria(heading)
  return blocks.flatMap((block): SectionUnit[] => {
    if (block.kind === 'list') {
      return block.children.map((child) => {
        const item = readListItem(child, lines)
        return { block: child, item, isLabel: false, isCriterion: isCriterion && item.box !== null }
      })
    }
    const label = block.kind === 'paragraph' ? labelOf(block, lines) : null
    if (label !== null) isCriterion = isCriteria(heading) || isCriteria(label)
    return [{ block, item: null, isLabel: label !== null, isCriterion: false }]
  })
}

function labelOf(block: Block, lines: readonly string[]): string | null {
  const last = readParagraph(block, lines).text.at(-1) ?? ''
  const isLabel =
    /[:：]\W*$/.test(last) || /^(?:\*\*|__)[^*_]+(?:\*\*|__)(?:\s*\([^()]*\))?$/.test(last)
  return isLabel ? last.replace(/^[*_#\s]+/, '') : null
}

/** The metadata of units: a label's value may be the items below it. */
export function fieldsOf(
  units: readonly SectionUnit[],
  lines: readonly string[],
): readonly Field[] {
  const fields: Field[] = []
  let isOpen = false
  for (const { block, item } of units) {
    const own = item ? readItemFields(item, 0) : fieldsOfBlock(block, lines)
    const open = isOpen && item !== null && own.length === 0 ? fields.pop() : undefined
    if (open !== undefined && item !== null) {
      fields.push({ ...open, value: [open.value, ...item.text].join('\n') })
    } else {
      fields.push(...own)
      isOpen = item === null && goesOn(own.at(-1)?.value ?? '-')
    }
  }
  return fields
}

function fieldsOfBlock(block: Block, lines: readonly string[]): readonly Field[] {
  if (block.kind === 'paragraph') return readParagraphFields(readParagraph(block, lines))
  if (block.kind === 'blockquote') return fieldsOf(readUnits(block.children, '', lines), lines)
  return []
}

/**
 * The units after a task that belong to it: what stands right below it, what is indented, and, where
 * this is how its section is written, all up to the next box.
 */
export function unitsBelow(
  task: { readonly column: number; readonly endLine: number },
  loose: readonly SectionUnit[],
  takesAll: boolean,
): readonly SectionUnit[] {
  const taken: SectionUnit[] = []
  let end = task.endLine
  for (const unit of loose) {
    const { kind, line, column, endLine } = unit.block
    if (kind === 'html' || kind === 'thematicBreak' || kind === 'definition') break
    const isClose = line === end + 1 || column > task.column
    const leadsOn = unit.isLabel && unit === loose.at(-1)
    if (leadsOn || !(isClose || takesAll)) break
    taken.push(unit)
    end = endLine
  }
  return taken
}
