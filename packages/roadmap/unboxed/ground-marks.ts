import { createHash } from 'node:crypto'
import type { ListedTask, TaskMark } from '../../task/task.ts'
import { oneLine, plainWords } from '../../text/text.ts'
import { type ListItem, readListItem } from '../document/list-item.ts'
import { type Block, readBlocks, splitSource } from '../document/read-blocks.ts'

export interface Grounded {
  readonly marks: readonly TaskMark[]
  /** Listed tasks that the document does not contain, as the model wrote them. */
  readonly invented: readonly string[]
}

const mostMarks = 200
const longestTitle = 300

interface Passage {
  readonly kind: 'item' | 'prose'
  /** The first line of an item, the last of a paragraph. */
  readonly line: number
  readonly words: string
  readonly text: string
}

/**
 * Finds each listed task in the document, as a list item or as a clause of a paragraph. A model marks tasks, it does
 * not write them: anything that is not in the document verbatim (except for white space, case and emphasis) is
 * discarded, and so is anything in code, quotes or comments.
 */
export function groundMarks(text: string, listed: readonly ListedTask[]): Grounded {
  const passages = passagesIn(text)
  const marks = new Map<string, TaskMark>()
  const invented: string[] = []
  for (const { title, status } of listed.slice(0, mostMarks)) {
    const wanted = wordsOf(title)
    const found = passages.find(
      ({ words }) => wanted !== '' && ` ${words} `.includes(` ${wanted} `),
    )
    if (found === undefined || title.length > longestTitle || wanted.split(' ').length < 2) {
      invented.push(title)
      continue
    }
    const { kind, line } = found
    const mark: TaskMark = { kind, line, title: kind === 'item' ? found.text : tidy(title), status }
    const key = `${line} ${kind === 'item' ? '' : wanted}`
    if (!marks.has(key)) marks.set(key, mark)
  }
  return { marks: [...marks.values()].sort((a, b) => a.line - b.line), invented }
}

/** SHA-256 hex of a document, to tell whether earlier findings still apply. */
export const groundSource = (text: string): string =>
  createHash('sha256').update(text).digest('hex')

/** Returns true when a paragraph or list item has more than one word, and so could be a task. */
export const hasPassages = (text: string): boolean =>
  passagesIn(text).some(({ words }) => words.includes(' '))

function passagesIn(text: string): readonly Passage[] {
  const source = splitSource(text)
  return readBlocks(source).flatMap((block) => passagesOf(block, source.lines))
}

function passagesOf(block: Block, lines: readonly string[]): readonly Passage[] {
  if (block.kind === 'list') {
    return block.children.flatMap((child) => itemPassages(readListItem(child, lines)))
  }
  if (block.kind !== 'paragraph') return []
  const text = lines.slice(block.line - 1, block.endLine).join(' ')
  return [{ kind: 'prose', line: block.endLine, words: wordsOf(text), text }]
}

function itemPassages(item: ListItem): readonly Passage[] {
  if (item.box !== null) return []
  const text = (item.text[0] ?? '').trim()
  const own: Passage = { kind: 'item', line: item.textLine, words: wordsOf(text), text }
  return [own, ...item.items.flatMap(itemPassages)]
}

function tidy(title: string): string {
  const line = oneLine(title).replace(/[.;,]+$/, '')
  return line.charAt(0).toUpperCase() + line.slice(1)
}

/** Lower-case words, including code in back-ticks, without other marks. */
function wordsOf(text: string): string {
  const plain = plainWords(text.replace(/<!--[\s\S]*?(?:-->|$)/g, ' '))
  return (plain.toLowerCase().match(/[\p{L}\p{N}_./()-]*[\p{L}\p{N}_/()]/gu) ?? []).join(' ')
}
