import { addressAbove, type FileLabel } from './address.ts'
import { type KnownPaths, pathOfInfo, pathOfTag } from './find-path.ts'
import { endOfEdit, type Fence, fenceOf, searchHeadOf, startsDiff } from './markers.ts'
import type { Lines } from './text-lines.ts'

/** A fenced part of an answer, or a SEARCH/REPLACE block or a diff outside any fence. */
export interface AnswerBlock {
  readonly fenced: boolean
  readonly info: string
  readonly lines: Lines
  /** True for a diff outside any fence. */
  readonly isDiff: boolean
  /** Lines after an unfenced diff that may belong to it; they also count as prose. */
  readonly doubtful: Lines
  /** False when the answer ended before the block did. */
  readonly closed: boolean
  /** The prose between the previous block and this one. */
  readonly before: Lines
  /** The part of the prose that names the file. */
  readonly address: FileLabel | null
  /** The file that the fence names, else the prose above. */
  readonly path: string | null
  /** Lines of the answer, the second exclusive; fences included. */
  readonly place: readonly [from: number, to: number]
}

interface Scan {
  readonly blocks: readonly AnswerBlock[]
  /** The prose after the last block. */
  readonly after: Lines
}

/**
 * Splits an answer into blocks and the prose around them, in one pass.
 *
 * A fence ends at the first bare fence of its own sign that is long enough (CommonMark). Three
 * rules differ, because models nest fences of one length: inside a block, a fence with an info
 * string opens a nested one; a whole SEARCH/REPLACE block is content, including its fences; and so
 * are a diff's own lines.
 */
export function scanBlocks(lines: Lines, known: KnownPaths): Scan {
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
    blocks.push({ ...block.block, before, address, path, place: [at, block.next] })
    before = []
    at = block.next
  }
  return { blocks, after: before }
}

interface Found {
  readonly block: Omit<AnswerBlock, 'before' | 'address' | 'path' | 'place'>
  readonly next: number
}

function unfencedBlock(lines: Lines, at: number, known: KnownPaths): Found | null {
  const tagged = taggedFile(lines, at, known)
  if (tagged !== null) return tagged
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

function fencedBlock(lines: Lines, start: number, fence: Fence): Found {
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
    } else if (closes(inner, open)) open.pop()
    else if (inner.info !== '' && isLike(inner, open)) open.push(inner)
    if (open.length === 0) break
  }
  // A fence in a list item is indented, together with its content.
  const unindent = (line: string) => line.slice(Math.min(fence.indent, line.search(/[^ \t]|$/)))
  const content = lines.slice(start + 1, at).map(unindent)
  const closed = at < lines.length
  return found({ fenced: true, info: fence.info, lines: content, closed }, at + 1)
}

function isLike({ sign, length }: Fence, open: readonly Fence[]): boolean {
  const outer = open.at(-1)
  return sign === outer?.sign && length >= outer.length
}

const closes = (inner: Fence, open: readonly Fence[]): boolean =>
  inner.info === '' && isLike(inner, open) && inner.indent <= (open.at(-1)?.indent ?? 0) + 3

/**
 * True when the bare fence at this line ends the diff around it, and is not one of its lines: those
 * have a sign before them, or lines of the diff after them.
 */
function closesDiff(lines: Lines, at: number, indent: number): boolean {
  const fence = fenceOf(lines[at] ?? '')
  if (fence === null || fence.indent > indent) return false
  const next = (lines[at + 1] ?? '').slice(indent)
  return !/^(?:[+ ]|-(?! )|@@)/.test(next) && fenceOf(next)?.info !== ''
}

/**
 * The end, exclusive, of an unfenced diff. After a blank line, a line without a sign is prose, or
 * context that lost its leading space: if no changed line follows, the diff ends there, and the
 * rest is `doubtful`.
 */
function bareDiff(lines: Lines, start: number): { readonly end: number; readonly doubtful: Lines } {
  let stop = -1
  let lastChange = -1
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (endsDiff(line)) return { end: at, doubtful: [] }
    if (/^\*\*\* End Patch/i.test(line)) return { end: at + 1, doubtful: [] }
    if (line.trim() !== '' || isSigned(lines, at + 1)) continue
    if (stop <= at) {
      stop = at + 1
      while (stop < lines.length && !endsDiff(lines[stop] ?? '') && !startsDiff(lines, stop)) {
        if (changes.test(lines[stop] ?? '')) lastChange = stop
        stop += 1
      }
    }
    if (lastChange < at) return { end: at, doubtful: lines.slice(at, stop) }
  }
  return { end: lines.length, doubtful: [] }
}

/** A sign, but no rule or list item of prose. */
const changes = /^\+|^-(?! \S|--+\s*$)/

const endsDiff = (line: string): boolean =>
  fenceOf(line)?.indent === 0 || searchHeadOf(line) !== null

/** Blank, a header, or a leading sign, except `- ` before a word: prose lists things like that. */
function isSigned(lines: Lines, at: number): boolean {
  const line = lines[at]
  if (line === undefined) return false
  return /^(?:\s*$|[ +\\]|-(?! \S)|\*\*\* |diff --git )/.test(line) || startsDiff(lines, at)
}

/** `<file path="src/a.js">`, with the file's first line after it or below. */
const withPath =
  /^\s*<(file|document|source|code_?file|artifact|boltAction)\s[^<>]*\b(?:file_?)?(?:path|name)\s*=\s*["']([^"'<>]+)["'][^<>]*>(.*)$/i
/** `<content>` below `<path>src/a.js</path>`. */
const withoutPath = /^\s*<((?:file_?)?contents?)>(.*)$/i
const longestTag = 1_400

interface Opening {
  readonly tag: string
  readonly path: string
  readonly rest: string
}

/** A whole file between two tags, which act as a fence; `null` when one of them is missing. */
function taggedFile(lines: Lines, at: number, known: KnownPaths): Found | null {
  const opening = openingAt(lines, at, known)
  if (opening === null) return null
  const close = `</${opening.tag.toLowerCase()}>`
  const isEnd = (line: string) => line.trimEnd().toLowerCase().endsWith(close)
  const inner: string[] = []
  for (let end = at; end < lines.length; end += 1) {
    const line = end === at ? opening.rest : (lines[end] ?? '')
    if (end > at && openingAt(lines, end, known) !== null) return null
    inner.push(isEnd(line) ? line.trimEnd().slice(0, -close.length) : line)
    if (!isEnd(line)) continue
    const info = `path="${opening.path}"`
    return found({ fenced: true, info, lines: withoutWrapping(inner) }, end + 1)
  }
  return null
}

function openingAt(lines: Lines, at: number, known: KnownPaths): Opening | null {
  const line = lines[at] ?? ''
  const named = withPath.exec(line.slice(0, longestTag))
  if (named !== null) {
    const head = named[0].length - (named[3] ?? '').length
    return { tag: named[1] ?? '', path: named[2] ?? '', rest: line.slice(head) }
  }
  const content = withoutPath.exec(line)
  const path = content && pathOfTag(lines[at - 1] ?? '', known)
  return content && path ? { tag: content[1] ?? '', path, rest: content[2] ?? '' } : null
}

/** Drops the rest of the tags' own lines, and CDATA or a fence between the tags. */
function withoutWrapping(lines: Lines): Lines {
  const isText = (line = '') => line.trim() !== ''
  const [from, to] = [lines.findIndex(isText), lines.findLastIndex(isText)]
  const [first = '', last = ''] = [lines[from], lines[to]]
  const isFenced = fenceOf(first) !== null && fenceOf(last)?.info === ''
  const isData = first.trim() === '<![CDATA[' && last.trim() === ']]>'
  if (to > from && (isFenced || isData)) return lines.slice(from + 1, to)
  return lines.slice(isText(lines[0]) ? 0 : 1, isText(lines.at(-1)) ? undefined : -1)
}
