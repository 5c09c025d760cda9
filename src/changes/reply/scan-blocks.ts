import { addressAbove, type FileLabel } from './address.ts'
import { bareDiff, closesDiff } from './diff/scan-diff.ts'
import { type KnownPaths, pathOfInfo } from './find-path.ts'
import { endOfEdit, type Fence, fenceOf, searchHeadOf, startsDiff } from './markers.ts'
import { taggedFile } from './tagged-file.ts'

/** A fenced part of an answer, or a SEARCH/REPLACE block or a diff outside any fence. */
export interface AnswerBlock {
  readonly fenced: boolean
  /** What stands behind the opening fence. */
  readonly info: string
  readonly lines: readonly string[]
  /** True for a diff outside any fence. */
  readonly isDiff: boolean
  /** Lines behind a diff outside any fence that may belong to it; they count as prose, too. */
  readonly doubtful: readonly string[]
  /** False when the answer ended before the block did. */
  readonly closed: boolean
  /** The prose between the previous block and this one. */
  readonly before: readonly string[]
  /** What of it names the file. */
  readonly address: FileLabel | null
  /** The file that the fence names, else the prose above. */
  readonly path: string | null
}

export interface Scan {
  readonly blocks: readonly AnswerBlock[]
  /** The prose after the last block. */
  readonly after: readonly string[]
}

/**
 * Cuts an answer into blocks and the prose around them, in one pass.
 *
 * A fence ends at the first bare fence of its own sign that is long enough (CommonMark). Three
 * things differ, because models nest fences of one length: a fence with an info string inside
 * a block opens a nested one, a whole SEARCH/REPLACE block is content, fences and all, and
 * so are a diff's own lines.
 */
export function scanBlocks(lines: readonly string[], known: KnownPaths): Scan {
  const blocks: AnswerBlock[] = []
  let before: string[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const fence = fenceOf(line)
    const block = fence ? fencedBlock(lines, at, fence) : unfencedBlock(lines, at, known)
    if (block === null) {
      before.push(line)
      at += 1
      continue
    }
    const address = addressAbove(before, known)
    const path = pathOfInfo(block.block.info, known) ?? address?.path ?? null
    blocks.push({ ...block.block, before, address, path })
    before = []
    at = block.next
  }
  return { blocks, after: before }
}

interface Found {
  readonly block: Omit<AnswerBlock, 'before' | 'address' | 'path'>
  /** The line to go on with. */
  readonly next: number
}

function unfencedBlock(lines: readonly string[], at: number, known: KnownPaths): Found | null {
  const tagged = taggedFile(lines, at, known)
  if (tagged !== null) {
    const { path, lines, next } = tagged
    return found({ fenced: true, info: `path="${path}"`, lines }, next)
  }
  if (searchHeadOf(lines[at] ?? '')) {
    const { end, isWhole } = endOfEdit(lines, at)
    return found({ lines: lines.slice(at, end), closed: isWhole }, end)
  }
  if (!startsDiff(lines, at)) return null
  const { end, doubtful } = bareDiff(lines, at)
  return found({ isDiff: true, lines: lines.slice(at, end), doubtful }, end)
}

function found(block: Partial<Found['block']>, next: number): Found {
  const plain = { fenced: false, info: '', lines: [], isDiff: false, doubtful: [], closed: true }
  return { block: { ...plain, ...block }, next }
}

function fencedBlock(lines: readonly string[], start: number, fence: Fence): Found {
  const open = [fence]
  const isDiff = /^(?:diff|patch|udiff)\b/i.test(fence.info) || startsDiff(lines, start + 1)
  let at = start + 1
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const edit = searchHeadOf(line) && endOfEdit(lines, at)
    if (edit?.isWhole) {
      at = edit.end - 1
      continue
    }
    const inner = fenceOf(line)
    if (inner === null) continue
    if (isDiff) {
      if (closes(inner, open) && closesDiff(lines, at, fence.indent)) break
    } else if (opens(inner, open)) open.push(inner)
    else if (closes(inner, open)) open.pop()
    if (open.length === 0) break
  }
  const content = lines.slice(start + 1, at).map((line) => unindent(line, fence.indent))
  const closed = at < lines.length
  return found({ fenced: true, info: fence.info, lines: content, closed }, at + 1)
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

/** A fence in a list item is indented, and so is what it holds. */
function unindent(line: string, indent: number): string {
  let cut = 0
  while (cut < indent && (line[cut] === ' ' || line[cut] === '\t')) cut += 1
  return line.slice(cut)
}
