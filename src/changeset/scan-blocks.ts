import { headOf, tailAfter } from './markers.ts'

/** A fenced part of an answer, or a SEARCH/REPLACE block outside any fence. */
export interface Block {
  readonly fenced: boolean
  /** What stands behind the opening fence. */
  readonly info: string
  readonly lines: readonly string[]
  /** False when the answer ended before the block did. */
  readonly closed: boolean
  /** The prose between the previous block and this one. */
  readonly before: readonly string[]
}

export interface Scan {
  readonly blocks: readonly Block[]
  /** The prose after the last block. */
  readonly after: readonly string[]
}

interface Fence {
  readonly indent: number
  readonly sign: string
  readonly length: number
  readonly info: string
}

/**
 * Cuts an answer into blocks and the prose around them, in one pass.
 *
 * A fence ends at the first bare fence of its own sign that is long enough (CommonMark). Two
 * things differ, because models nest fences of one length: a fence with an info string inside
 * a block opens a nested one, and a whole SEARCH/REPLACE block is content, fences and all.
 */
export function scanBlocks(lines: readonly string[]): Scan {
  const blocks: Block[] = []
  let before: string[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const fence = fenceOf(line)
    const block = fence ? fencedBlock(lines, at, fence) : headOf(line) ? bareEdit(lines, at) : null
    if (block === null) {
      before.push(line)
      at += 1
      continue
    }
    blocks.push({ ...block.block, before })
    before = []
    at = block.next
  }
  return { blocks, after: before }
}

interface Found {
  readonly block: Omit<Block, 'before'>
  /** The line to go on with. */
  readonly next: number
}

function fencedBlock(lines: readonly string[], start: number, fence: Fence): Found {
  const open = [fence]
  let at = start + 1
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const tail = headOf(line) ? tailAfter(lines, at) : -1
    if (tail >= 0) {
      at = tail + 1
      continue
    }
    const inner = fenceOf(line)
    if (inner && opens(inner, open)) open.push(inner)
    else if (inner && closes(inner, open)) open.pop()
    if (open.length === 0) break
    at += 1
  }
  const content = lines.slice(start + 1, at).map((line) => unindent(line, fence.indent))
  const closed = at < lines.length
  return { block: { fenced: true, info: fence.info, lines: content, closed }, next: at + 1 }
}

function opens(inner: Fence, open: readonly Fence[]): boolean {
  const outer = open.at(-1)
  return inner.info !== '' && inner.sign === outer?.sign && inner.length >= outer.length
}

function closes(inner: Fence, open: readonly Fence[]): boolean {
  const outer = open.at(-1)
  if (inner.info !== '' || inner.sign !== outer?.sign) return false
  return inner.length >= outer.length && inner.indent <= outer.indent + 3
}

function bareEdit(lines: readonly string[], start: number): Found {
  const tail = tailAfter(lines, start)
  let end = tail + 1
  if (tail < 0) {
    end = start + 1
    while (end < lines.length && !headOf(lines[end] ?? '')) end += 1
  }
  const content = lines.slice(start, end)
  return { block: { fenced: false, info: '', lines: content, closed: tail >= 0 }, next: end }
}

/** A line that is a fence; back-ticks in the info string make it inline code. */
function fenceOf(line: string): Fence | null {
  const match = /^([ \t]*)(`{3,}|~{3,})(.*)$/.exec(line)
  if (match === null) return null
  const [, indent = '', signs = '', info = ''] = match
  if (signs.startsWith('`') && info.includes('`')) return null
  return { indent: indent.length, sign: signs.charAt(0), length: signs.length, info: info.trim() }
}

/** A fence in a list item is indented, and so is what it holds. */
function unindent(line: string, indent: number): string {
  let cut = 0
  while (cut < indent && (line[cut] === ' ' || line[cut] === '\t')) cut += 1
  return line.slice(cut)
}
